import { evaluateFilter, type FilterOutcome } from "../filters/evaluate.ts";
import type { Checked } from "../json.ts";
import type { CiqPolicy } from "../policy/ciq.ts";
import { bindValues, type Inputs, missingParameters } from "../values/bind.ts";
import type { RequiredInputs } from "../values/reference.ts";
import type { KnowledgeQuery } from "./query.ts";

/** Why a query does not run for a caller. */
export type QueryRefusal =
  | { readonly reason: "token_required" }
  | { readonly reason: "token_filter"; readonly outcome: FilterOutcome }
  | { readonly reason: "parameters"; readonly missing: readonly string[] }
  /** Its policy changed since it was saved and no longer allows what it reads. */
  | { readonly reason: "faults"; readonly faults: readonly string[] };

/** A query that runs, or why it does not. */
export type PermittedQuery =
  | { readonly permitted: true; readonly query: KnowledgeQuery }
  | { readonly permitted: false; readonly refusal: QueryRefusal };

const parameterRefusal = (needs: RequiredInputs, inputs: Inputs): QueryRefusal | undefined => {
  const missing = missingParameters(needs, inputs.inputParams);
  return missing.length === 0 ? undefined : { reason: "parameters", missing };
};

/** What the policy requires of the token, before parameters and graph. */
const tokenRefusal = ({ subjectType, tokenFilter }: CiqPolicy, inputs: Inputs): QueryRefusal | undefined => {
  const { token } = inputs;
  if (token === undefined)
    return subjectType === "_Application" && tokenFilter === undefined
      ? undefined
      : { reason: "token_required" };
  if (tokenFilter === undefined) return undefined;
  const missing = parameterRefusal(tokenFilter.needs, inputs);
  if (missing !== undefined) return missing;
  const outcome = evaluateFilter(tokenFilter.filter, bindValues(tokenFilter.needs, inputs));
  return outcome.truth === true ? undefined : { reason: "token_filter", outcome };
};

/** Decides whether a caller with these inputs may run a query of a policy, before the graph is read. */
export const permitQuery = (
  policy: CiqPolicy,
  query: Checked<KnowledgeQuery>,
  inputs: Inputs,
): PermittedQuery => {
  const refusal =
    tokenRefusal(policy, inputs) ?? parameterRefusal(query.ok ? query.value.needs : policy.needs, inputs);
  if (refusal !== undefined) return { permitted: false, refusal };
  return query.ok
    ? { permitted: true, query: query.value }
    : { permitted: false, refusal: { reason: "faults", faults: query.faults } };
};
