/** Random graphs, policies and requests, and the independent evaluator that knows their outcome: those of the policy language. */
export { anyCost } from "../../../libs/policy-core/test/oracle/any-cost.ts";
export { assertReport } from "../../../libs/policy-core/test/oracle/assert-report.ts";
export { inputsOf } from "../../../libs/policy-core/test/oracle/bound.ts";
export { fuzz, type Kind } from "../../../libs/policy-core/test/oracle/fuzz.ts";
export { type KbacGroup, kbacGroup } from "../../../libs/policy-core/test/oracle/generate/cases.ts";
export { filterPasses, patternMatches } from "../../../libs/policy-core/test/oracle/outcome.ts";
export { kbacJson, type KbacSpec } from "../../../libs/policy-core/test/oracle/policy.ts";
export { failure, type Verdict } from "../../../libs/policy-core/test/oracle/verdict.ts";
export { type World, worldOf } from "../../../libs/policy-core/test/oracle/world.ts";
export { isFuzzing, isLong, runs, seed, timeLimit } from "../../../libs/policy-core/test/runs.ts";
