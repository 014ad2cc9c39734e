import { bearerRequired, callersToken, type Token } from "@ikg/auth";
import { activeSnapshot, type ProjectSnapshot, type StoredQuery } from "@ikg/catalog";
import { Problem } from "@ikg/contracts";
import { type Inputs, missingParameterText } from "@ikg/policy-core";
import { type KnowledgeQuery, permitQuery, type QueryRefusal } from "@ikg/policy-core/queries";
import type { ExecuteParts, Execution } from "./execution.ts";
import { stepUp } from "./step-up.ts";

/** A query that the caller may run, with the values that it may read. */
export interface AuthorizedQuery {
  readonly view: ProjectSnapshot;
  readonly stored: StoredQuery;
  readonly query: KnowledgeQuery;
  /** The introspected bearer token; absent when none was sent. */
  readonly token: Token | undefined;
  readonly inputs: Inputs;
}

const storedQuery = (view: ProjectSnapshot, id: string): StoredQuery => {
  const stored = view.query(id);
  if (stored !== undefined) return stored;
  throw new Problem("not_found", { errors: ["id: knowledge query not found"] });
};

/** @returns Problem "bearer_required" or "token_filter_failed" (401), "input_param_missing" or "unprocessable" (422). */
const refusalProblem = (refusal: QueryRefusal): Problem => {
  switch (refusal.reason) {
    case "token_required":
      return bearerRequired("ciq");
    case "token_filter":
      return stepUp(refusal.outcome);
    case "parameters":
      return new Problem("input_param_missing", { errors: refusal.missing.map(missingParameterText) });
    case "faults":
      return new Problem("unprocessable", { errors: refusal.faults });
  }
};

/**
 * Finds the query and decides whether the caller may run it.
 *
 * @throws Problem "not_found" (404) for a query that does not exist or is not ACTIVE, "bearer_required" and
 *   "token_filter_failed" (401), "input_param_missing" and "unprocessable" (422).
 */
export const authorize = async (
  { catalog, introspection }: Pick<ExecuteParts, "catalog" | "introspection">,
  { caller, bearer, request, listener }: Execution,
): Promise<AuthorizedQuery> => {
  const view = await activeSnapshot(catalog, caller.project);
  const stored = storedQuery(view, request.id);
  listener?.onQuery(stored);
  const token = await callersToken(introspection, caller, bearer, view, listener?.onIntrospected);
  listener?.onUser(token);
  const inputs = {
    inputParams: request.input_params,
    token: token?.claims,
    applicationId: caller.application,
  };
  const permitted = permitQuery(stored.policy, stored.query, inputs);
  if (!permitted.permitted) throw refusalProblem(permitted.refusal);
  return { view, stored, query: permitted.query, token, inputs };
};
