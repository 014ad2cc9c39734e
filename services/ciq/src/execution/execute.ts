import { bearerRequired, callersToken, type Introspection, type Token } from "@ikg/auth";
import type { Catalog, CatalogProject, StoredQuery } from "@ikg/catalog";
import {
  type AgentCaller,
  type ExecuteRequest,
  type Gid,
  offsetOfPageToken,
  pageTokenOfOffset,
  Problem,
} from "@ikg/contracts";
import {
  DataFault,
  type Graph,
  MemoryLimitExceeded,
  type StatementOptions,
  StatementTimeout,
} from "@ikg/graph";
import type { Names } from "@ikg/names";
import { nodeKey } from "@ikg/physical";
import {
  bindValues,
  rowValues,
  type CiqPolicy,
  evaluateFilter,
  type Inputs,
  missingParameters,
  missingParameterText,
  type Needs,
} from "@ikg/policy-core";
import type { KnowledgeQuery } from "@ikg/policy-core/queries";
import type { WriteStatements } from "@ikg/policy-core/statements";
import { JsonText, noTracing, type SharedBudget, type Tracing } from "@ikg/service";
import { openExplainer } from "../explain/explainer.ts";
import type { ResolverCall } from "../explain/resolver-call.ts";
import { AnswerTooLarge, openExecutionMemory } from "../memory/execution-memory.ts";
import type { Resolvers } from "../resolvers/resolve.ts";
import type { ElementIds } from "../results/element-ids.ts";
import type { Page } from "../results/page.ts";
import { answerText } from "./answer-text.ts";
import type { ExecutionListener } from "./listener.ts";
import { offsetOfPage } from "./counted-page.ts";
import { answerBytes, readPage } from "./read.ts";
import type { RowSizes } from "./row-sizes.ts";
import { preparedStatements } from "./statements.ts";
import { stepUp } from "./step-up.ts";
import { executeWrite } from "./write.ts";
import { writeNames } from "./write-names.ts";

export interface Execution {
  readonly caller: AgentCaller;
  readonly bearer: string | undefined;
  readonly request: ExecuteRequest;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** What the read has to see, and who is told what a write left behind. */
  readonly consistency?: Pick<StatementOptions, "after" | "onCommit">;
  /** `page_token` is the number of a page, from 1, and not that of rows to leave out. */
  readonly countsPages?: boolean;
  /** The caller wants to know why the answer is what it is, and may. */
  readonly explain?: boolean;
  readonly listener?: ExecutionListener;
}

/** What a query answered: `ExecuteResponse` as text. */
export interface ExecutionAnswer {
  /** Rows of the page. */
  readonly rows: number;
  /** Holds memory until it is released. */
  readonly body: JsonText;
}

export type Execute = (execution: Execution) => Promise<ExecutionAnswer>;

export interface Limits {
  readonly queryMs: number;
  readonly batchReadMs: number;
}

/** What answers are made with. */
export interface AnswerParts {
  /** Shared by all executions of the process. */
  readonly memory: SharedBudget;
  readonly idsOf: (project: Gid) => ElementIds;
  readonly sizes: RowSizes;
}

/** How much longer than the longest query an execution with all that follows it may take; the gateway waits 5 s. */
const graceMs = 4_000;

const requireParameters = (needs: Needs, inputs: Inputs): void => {
  const missing = missingParameters(needs, inputs.inputParams);
  if (missing.length > 0)
    throw new Problem("input_param_missing", { errors: missing.map(missingParameterText) });
};

/** The policy's demand on the token, before parameters and graph. */
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

/** True for a query whose rows are small whatever the graph holds: they show external ids, other system fields and scores. */
const isNarrow = ({ nodes, relationships, aggregates }: KnowledgeQuery): boolean =>
  relationships.length === 0 &&
  aggregates.length === 0 &&
  nodes.every(({ kind }) => kind === "system" || kind === "trust" || kind === "all-trust");

/**
 * Runs a stored knowledge query as its policy allows.
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
  { memory: answerMemory, idsOf, sizes }: AnswerParts,
  resolvers: Pick<Resolvers, "resolve" | "fieldsOf">,
  names: Pick<Names, "reserve">,
  tracing: Pick<Tracing, "span"> = noTracing,
): Execute => {
  const statementsOf = preparedStatements();

  return async ({
    caller,
    bearer,
    request,
    requestId,
    signal,
    consistency,
    countsPages = false,
    explain,
    listener,
  }) => {
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

    const resolverFields = resolvers.fieldsOf(view);
    const values = bindValues(query.needs, inputs);
    const row = {
      s: subjectKey(policy, project, caller, token),
      ...(resolverFields.length === 0 ? {} : { resolverFields }),
      ...rowValues(values),
    };
    const take = request.page_size;
    const skip = (countsPages ? offsetOfPage : offsetOfPageToken)(request.page_token, take);
    const pageBytes = Math.min(request.page_bytes ?? Infinity, project.limits.page_bytes);
    const pageLimits = { bytes: pageBytes, skip, wholeOf: countsPages ? take : undefined };
    const memory = openExecutionMemory(answerMemory, project.id);
    const shown = { pk: project.pk, ids: idsOf(project.id) };
    const database = graph.of(project);
    const options = {
      timeoutMs: query.batchRead ? limits.batchReadMs : limits.queryMs,
      signal,
      requestId,
      ...consistency,
      intake: memory.intake(answerBytes(pageLimits)),
    };
    const statements = statementsOf(query, project);
    const statementContext = {
      database,
      stored,
      query,
      pk: project.pk,
      row,
      options,
      limitMs: limits.queryMs,
    };
    const endsAt = arrived + limits.batchReadMs + graceMs;
    const explainer = explain ? openExplainer({ ...statementContext, endsAt }) : undefined;
    const toResponse = async (page: Page): Promise<ExecutionAnswer> => {
      const onCalls = (calls: readonly ResolverCall[]): void => {
        listener?.resolved(calls);
        explainer?.resolved(calls);
      };
      const { errors, pieces } = await resolvers.resolve(page, {
        view,
        project: project.id,
        pageBytes,
        inputParams: request.input_params,
        applicationId: caller.application,
        signal,
        leftMs: endsAt - performance.now(),
        onCalls,
      });
      const explanation = await explainer?.explanation();
      const next = page.next === undefined ? undefined : pageTokenOfOffset(page.next, take);
      const text = answerText({ pieces, errors: [...errors], next, explanation });
      return { rows: page.count, body: new JsonText(text, () => memory.release()) };
    };
    const written = async (write: WriteStatements): Promise<Page> => {
      await names.reserve(project, writeNames(write));
      await explainer?.match(write.match.text);
      const page = await executeWrite(database, write, {
        values,
        row,
        page: pageLimits,
        take,
        options,
        project: shown,
        // What is written by one statement is written before its page is known to be whole.
        mayBeOnce: !countsPages && (isNarrow(query) || sizes.areSmall(write)),
        onWrite: explainer?.written,
        onTouched: listener?.touched,
      });
      sizes.seen(write, page.count, page.bytes);
      return page;
    };
    const run = async (): Promise<ExecutionAnswer> => {
      if (statements.kind === "write") return await toResponse(await written(statements.write));
      const asking = { row, take, page: pageLimits, project: shown, memory };
      const read = (more: StatementOptions): Promise<Page> =>
        readPage(database, statements.read, asking, more, sizes);
      return await toResponse(await (explainer === undefined ? read(options) : explainer.counted(read)));
    };
    const what = {
      "ikg.query": `${stored.id}@${stored.version}`,
      "ikg.policies": [`${stored.policyId}@${stored.policyVersion}`],
    };
    try {
      return await tracing.span("query", what, run);
    } catch (error) {
      memory.release();
      if (error instanceof AnswerTooLarge) {
        const errors = [
          `query: its rows hold more than one execution may read (limit page_bytes, ${pageBytes})`,
        ];
        throw new Problem("unprocessable", { errors, cause: error });
      }
      if (error instanceof StatementTimeout) throw new Problem("request_timeout", { cause: error });
      if (error instanceof DataFault) {
        const reason =
          error instanceof MemoryLimitExceeded
            ? error.message
            : "cannot be evaluated with the values of the request and the graph";
        throw new Problem("unprocessable", { errors: [`query: ${reason}`], cause: error });
      }
      throw error;
    }
  };
};
