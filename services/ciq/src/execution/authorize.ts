import { bearerRequired, callersToken, type Token } from "@ikg/auth";
import type { Catalog, ProjectSnapshot, StoredQuery } from "@ikg/catalog";
import { Problem } from "@ikg/contracts";
import {
  bindValues,
  type CiqPolicy,
  evaluateFilter,
  type Inputs,
  missingParameters,
  missingParameterText,
  type RequiredInputs,
} from "@ikg/policy-core";
import type { KnowledgeQuery } from "@ikg/policy-core/queries";
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

const activeSnapshot = async (catalog: Catalog, project: string): Promise<ProjectSnapshot> => {
  const view = await catalog.snapshot(project);
  if (view?.project.ikgStatus === "ACTIVE") return view;
  throw new Problem("not_found", { errors: ["project: no active graph"] });
};

const storedQuery = (view: ProjectSnapshot, id: string): StoredQuery => {
  const stored = view.query(id);
  if (stored !== undefined) return stored;
  throw new Problem("not_found", { errors: ["id: knowledge query not found"] });
};

const requireParameters = (needs: RequiredInputs, inputs: Inputs): void => {
  const missing = missingParameters(needs, inputs.inputParams);
  if (missing.length > 0)
    throw new Problem("input_param_missing", { errors: missing.map(missingParameterText) });
};

/** Evaluates the policy's filter on the token, before parameters and graph. */
const requireToken = ({ tokenFilter }: CiqPolicy, inputs: Inputs): void => {
  if (tokenFilter === undefined) return;
  if (inputs.token === undefined) throw bearerRequired("ciq");
  requireParameters(tokenFilter.needs, inputs);
  const outcome = evaluateFilter(tokenFilter.filter, bindValues(tokenFilter.needs, inputs));
  if (outcome.truth !== true) throw stepUp(outcome);
};

const allowedQuery = ({ query }: StoredQuery): KnowledgeQuery => {
  if (query.ok) return query.value;
  // The policy changed since the query was saved and no longer allows what it reads.
  throw new Problem("unprocessable", { errors: query.faults });
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
  listener?.found(stored);
  const { policy } = stored;
  const token = await callersToken(introspection, caller, bearer, view, listener?.judged);
  listener?.user(token);
  if (token === undefined && policy.subjectType !== "_Application") throw bearerRequired("ciq");

  const inputs = {
    inputParams: request.input_params,
    token: token?.claims,
    applicationId: caller.application,
  };
  requireToken(policy, inputs);
  requireParameters(stored.query.ok ? stored.query.value.needs : policy.needs, inputs);
  return { view, stored, query: allowedQuery(stored), token, inputs };
};
