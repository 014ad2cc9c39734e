import type { Database, StatementOptions } from "@ikg/graph";
import { type BoundValues, bindValues, rowValues } from "@ikg/policy-core";
import { pinnedSubjectKey } from "@ikg/policy-core/queries";
import { requestKeys } from "@ikg/policy-core/statements";
import type { ShownProject } from "@ikg/query-rows";
import { type Explainer, openExplainer } from "../explain/explainer.ts";
import { type ExecutionMemory, openExecutionMemory } from "../memory/execution-memory.ts";
import type { PageLimits } from "../results/page.ts";
import type { AuthorizedQuery } from "./authorize.ts";
import type { ExecuteParts, Execution } from "./execution.ts";
import { pageLimitsOf } from "./page-limits.ts";
import { answerBytes } from "./read.ts";
import type { StatementRow } from "./statement-row.ts";

/** The inputs of the statements of one execution. */
export interface StatementContext {
  readonly database: Database;
  readonly values: BoundValues;
  readonly row: StatementRow;
  readonly take: number;
  readonly page: PageLimits;
  readonly project: ShownProject;
  readonly memory: ExecutionMemory;
  readonly options: StatementOptions;
  /** Absent unless the caller asks for an explanation. */
  readonly explainer: Explainer | undefined;
  /** Deadline in the time base of `performance.now()`. */
  readonly deadline: number;
}

/** Time of an execution with all its steps beyond the longest query; the gateway waits 5 s. */
const graceMs = 4_000;

/** @param started when the execution began, in the time base of `performance.now()` */
export const openStatementContext = (
  { graph, limits, answers, resolvers }: ExecuteParts,
  { caller, request, requestId, signal, consistency, countsPages = false, explain }: Execution,
  { view, stored, query, token, inputs }: AuthorizedQuery,
  started: number,
): StatementContext => {
  const { project } = view;
  const resolverFields = resolvers.fieldsOf(view);
  const values = bindValues(query.needs, inputs);
  const row = {
    [requestKeys.subject]: pinnedSubjectKey(stored.policy, project.pk, {
      application: caller.application,
      tokenSubject: token?.subject,
    }),
    ...(resolverFields.length === 0 ? {} : { resolverFields }),
    ...rowValues(values),
  };
  const page = pageLimitsOf(request, project, countsPages);
  const memory = openExecutionMemory(answers.memory, project);
  const database = graph.of(project);
  const options = {
    timeoutMs: query.batchRead ? limits.batchReadMs : limits.queryMs,
    signal,
    requestId,
    ...consistency,
    responseBudget: memory.responseBudget(answerBytes(page)),
  };
  const deadline = started + limits.batchReadMs + graceMs;
  const explained = {
    database,
    stored,
    query,
    pk: project.pk,
    row,
    options,
    limitMs: limits.queryMs,
    deadline,
  };
  return {
    database,
    values,
    row,
    take: request.page_size,
    page,
    project: { pk: project.pk, ids: answers.idsOf(project.id) },
    memory,
    options,
    explainer: explain ? openExplainer(explained) : undefined,
    deadline,
  };
};
