/** The one file by which these tests reach the cases that policy-core's tests draw and judge. */
export { drawn } from "../../libs/policy-core/test/oracle/generate/arbitrary.ts";
export { kbacGroup } from "../../libs/policy-core/test/oracle/generate/cases.ts";
export { type WriteCase, writeCase } from "../../libs/policy-core/test/oracle/generate/writes.ts";
export type { GraphSpec, InputsSpec, NodeSpec } from "../../libs/policy-core/test/oracle/model.ts";
export { kbacJson } from "../../libs/policy-core/test/oracle/policy.ts";
export { plainOf } from "../../libs/policy-core/test/oracle/store.ts";
export { pasteable } from "../../libs/policy-core/test/oracle/verdict.ts";
export { beyondLists } from "../../libs/policy-core/test/oracle/write-lists.ts";
export {
  answeredRow,
  graphLines,
  type GraphState,
  type PropertyState,
  type WriteOutcome,
  writeOutcome,
} from "../../libs/policy-core/test/oracle/write-outcome.ts";
export {
  readOf,
  type WriteSpec,
  writePolicyJson,
  writeQueryJson,
} from "../../libs/policy-core/test/oracle/write-spec.ts";
export { runs, seed, timeLimit } from "../../libs/policy-core/test/runs.ts";
