import { bearerRequired, callersToken, type Introspection, type Token } from "@ikg/auth";
import type { Catalog, CatalogProject, StoredQuery } from "@ikg/catalog";
import { type AgentCaller, type ExecuteRequest, type ExecuteResponse, Problem } from "@ikg/contracts";
import { DataFault, type Graph, type StatementOptions, StatementTimeout } from "@ikg/graph";
import { nodeKey } from "@ikg/physical";
import {
  bindValues,
  type CiqPolicy,
  evaluateFilter,
  type Inputs,
  missingParameters,
  missingParameterText,
  type Needs,
} from "@ikg/policy-core";
import type { KnowledgeQuery } from "@ikg/policy-core/queries";
import { pageOf } from "@ikg/policy-core/statements";
import { noTracing, type Tracing } from "@ikg/service";
import { openInquiry } from "../explain/inquiry.ts";
import type { ResolverCall } from "../explain/resolver-call.ts";
import type { Resolvers } from "../resolvers/resolve.ts";
import { type ProjectedRow, resultRow } from "../results/row.ts";
import type { ExecutionListener } from "./listener.ts";
import { offsetOf } from "./page.ts";
import { preparedStatements } from "./statements.ts";
import { stepUp } from "./step-up.ts";
import { executeWrite } from "./write.ts";

export interface Execution {
  readonly caller: AgentCaller;
  readonly bearer: string | undefined;
  readonly request: ExecuteRequest;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** What the read has to see, and who is told what a write left behind. */
  readonly consistency?: Pick<StatementOptions, "after" | "onCommit">;
  /** The caller wants to know why the answer is what it is, and may. */
  readonly explain?: boolean;
  readonly listener?: ExecutionListener;
}

export type Execute = (execution: Execution) => Promise<ExecuteResponse>;

export interface Limits {
  readonly queryMs: number;
  readonly batchReadMs: number;
}

/** How much longer than the longest query an execution with all that follows it may take; the gateway waits 5 s. */
const graceMs = 4_000;

const requireParameters = (needs: Needs, inputs: Inputs): void => {
  const missing = missingParameters(needs, inputs.inputParams);
  if (missing.length > 0)
    throw new Problem("input_param_missing", { errors: missing.map(missingParameterText) });
};

/** The policy's demand on the token, before parameters and graph (policies specification 9.1, step 6). */
const requireToken = (policy: CiqPolicy, inputs: Inputs): void => {
  if (policy.tokenFilter === undefined) return;
  if (inputs.token === undefined) throw bearerRequired("ciq");
  requireParameters(policy.tokenFilter.needs, inputs);
  const outcome = evaluateFilter(policy.tokenFilter.filter, bindValues(policy.tokenFilter.needs, inputs));
  if (outcome.truth !== true) throw stepUp(outcome);
};

const allowedQuery = (stored: StoredQuery): KnowledgeQuery => {
  if (stored.query.ok) return stored.query.value;
  // The policy changed since the query was saved and no longer allows what it asks.
  throw new Problem("unprocessable", { errors: stored.query.faults });
};

const subjectKey = (
  policy: CiqPolicy,
  project: CatalogProject,
  caller: AgentCaller,
  token: Token | undefined,
): string | null => {
  switch (policy.pin) {
    case "application":
      return nodeKey(project.pk, policy.subjectType, caller.application);
    case "token":
      return token === undefined ? null : nodeKey(project.pk, policy.subjectType, token.subject);
    case "policy":
      return null;
  }
};

/**
 * Runs a stored knowledge query as its policy allows, in the order of policies specification 9.1.
 *
 * @throws Problem "not_found" (404) for a query that does not exist or is not ACTIVE, "bearer_required" and
 *   "token_filter_failed" (401), "input_param_missing" and "unprocessable" (422), "request_timeout" (408), and what
 *   `Database.read` and `Database.write` throw.
 */
export const openExecute = (
  graph: Graph,
  catalog: Catalog,
  introspection: Introspection,
  limits: Limits,
  resolvers: Pick<Resolvers, "resolve">,
  tracing: Pick<Tracing, "span"> = noTracing,
): Execute => {
  const statementsOf = preparedStatements();

  return async ({ caller, bearer, request, requestId, signal, consistency, explain, listener }) => {
    const arrived = performance.now();
    const view = await catalog.snapshot(caller.project);
    if (view?.project.ikgStatus !== "ACTIVE") {
      throw new Problem("not_found", { errors: ["project: no active graph"] });
    }
    const { project } = view;
    const stored = view.query(request.id);
    if (stored === undefined) throw new Problem("not_found", { errors: ["id: knowledge query not found"] });
    listener?.found(stored);
    const { policy } = stored;
    const token = await callersToken(introspection, caller, bearer, view, listener?.judged);
    listener?.user(token);
    if (token === undefined && policy.subjectType !== "_Application") throw bearerRequired("ciq");

    const inputs: Inputs = {
      inputParams: request.input_params,
      token: token?.claims,
      applicationId: caller.application,
    };
    requireToken(policy, inputs);
    requireParameters(stored.query.ok ? stored.query.value.needs : policy.needs, inputs);
    const query = allowedQuery(stored);

    const row = { s: subjectKey(policy, project, caller, token), ...bindValues(query.needs, inputs) };
    const skip = offsetOf(request.page_token, request.page_size);
    const take = request.page_size;
    const database = graph.of(project);
    const options = {
      timeoutMs: query.batchRead ? limits.batchReadMs : limits.queryMs,
      signal,
      requestId,
      ...consistency,
    };
    const statements = statementsOf(query, project);
    const asked = { database, stored, query, pk: project.pk, row, options, limitMs: limits.queryMs };
    const endsAt = arrived + limits.batchReadMs + graceMs;
    const inquiry = explain ? openInquiry({ ...asked, endsAt }) : undefined;
    const answered = async (rows: readonly ProjectedRow[]): Promise<ExecuteResponse> => {
      const from = { view, inputParams: request.input_params, applicationId: caller.application, signal };
      const onCalls = (calls: readonly ResolverCall[]): void => {
        listener?.resolved(calls);
        inquiry?.resolved(calls);
      };
      const watched = { ...from, leftMs: endsAt - performance.now(), onCalls };
      const answer = await resolvers.resolve(rows, watched);
      return inquiry === undefined ? answer : { ...answer, explanation: await inquiry.told() };
    };
    const carriedOut = async (): Promise<ExecuteResponse> => {
      if (statements.kind === "write") {
        await inquiry?.match(statements.write.match.text);
        const onWrite = inquiry?.written;
        const request = { row, skip, take, options, onWrite, onTouched: listener?.touched };
        return await answered(await executeWrite(database, statements.write, request));
      }
      const { text, columns } = statements.read;
      const read = async (more: StatementOptions) =>
        pageOf(await database.read(text, { __row: { ...row, skip, take } }, more));
      const rows = await (inquiry === undefined ? read(options) : inquiry.counted(read));
      return await answered(rows.map((values) => resultRow(columns, values, project.pk)));
    };
    const what = {
      "ikg.query": `${stored.id}@${stored.version}`,
      "ikg.policies": [`${stored.policyId}@${stored.policyVersion}`],
    };
    try {
      return await tracing.span("query", what, carriedOut);
    } catch (error) {
      if (error instanceof StatementTimeout) throw new Problem("request_timeout", { cause: error });
      if (error instanceof DataFault) {
        const errors = ["query: cannot be evaluated with the values of the request and the graph"];
        throw new Problem("unprocessable", { errors, cause: error });
      }
      throw error;
    }
  };
};
