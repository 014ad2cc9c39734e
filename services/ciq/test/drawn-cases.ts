/** The one file by which the tests of this service reach the cases that policy-core's tests draw and judge. */
export { anyCost } from "../../../libs/policy-core/test/oracle/any-cost.ts";
export { drawn } from "../../../libs/policy-core/test/oracle/generate/arbitrary.ts";
export { type QueryGroup, queryGroup } from "../../../libs/policy-core/test/oracle/generate/cases.ts";
export { type WriteCase, writeCase } from "../../../libs/policy-core/test/oracle/generate/writes.ts";
export type { GraphSpec, InputsSpec, NodeSpec } from "../../../libs/policy-core/test/oracle/model.ts";
export {
  ciqJson,
  type ProjectionSpec,
  queryJson,
  type QuerySpec,
} from "../../../libs/policy-core/test/oracle/policy.ts";
export { plainOf, writeGraphs } from "../../../libs/policy-core/test/oracle/store.ts";
export { pasteable } from "../../../libs/policy-core/test/oracle/verdict.ts";
export { beyondLists } from "../../../libs/policy-core/test/oracle/write-lists.ts";
export {
  answeredRow,
  type EdgeState,
  graphLines,
  type GraphState,
  type NodeState,
  type PropertyState,
  writeOutcome,
} from "../../../libs/policy-core/test/oracle/write-outcome.ts";
export { writePolicyJson, writeQueryJson } from "../../../libs/policy-core/test/oracle/write-spec.ts";
export { isLong, runs, seed, timeLimit } from "../../../libs/policy-core/test/runs.ts";
