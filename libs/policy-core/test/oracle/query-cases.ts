import { inputsOf } from "./bound.ts";
import { checkQueryGroup } from "./check-query.ts";
import type { Kind } from "./fuzz.ts";
import { queryGroup, type QueryGroup } from "./generate/cases.ts";
import { ciqJson, queryJson } from "./policy.ts";

/** CIQ policies with one reading query each. */
export const queryCases: Kind<QueryGroup> = {
  make: queryGroup,
  check: checkQueryGroup,
  inputsOf: ({ inputs }) => inputs.length,
  alone: (group, index) => ({ ...group, queries: group.queries.slice(index, index + 1) }),
  tell: ({ graph, queries, inputs }) => ({
    graph,
    policy: queries[0] && ciqJson(queries[0]),
    query: queries[0] && queryJson(queries[0]),
    inputs: inputs.map((given) => inputsOf(given)),
  }),
};
