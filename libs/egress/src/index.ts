export { type Breaker, type BreakerOptions, CircuitFull, CircuitOpen, openBreaker } from "./breaker.ts";
export {
  type Egress,
  type EgressHead,
  type EgressRequest,
  type EgressResponse,
  jsonObject,
  type JsonObject,
  openEgress,
} from "./egress.ts";
export { EgressError, isOwnFailure } from "./egress-error.ts";
export { type OpenReportedBreaker, reportedBreakers } from "./reported-breaker.ts";
export { checkUrl, type EgressRules, guardedAddress } from "./guard.ts";
export { withCircuit } from "./with-circuit.ts";
