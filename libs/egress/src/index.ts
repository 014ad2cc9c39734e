export { type Breaker, type BreakerHooks, type BreakerOptions, CircuitOpen, openBreaker } from "./breaker.ts";
export { type Egress, type EgressRequest, type EgressResponse, openEgress } from "./egress.ts";
export { EgressError, type EgressReason } from "./egress-error.ts";
export { addressCheck, checkedUrl, type EgressRules, guardedLookup } from "./guard.ts";
