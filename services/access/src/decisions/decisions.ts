import type { Graph } from "@ikg/graph";
import type { DecisionSwitches } from "@ikg/policy-core/statements";
import { loggedRequestId, type Logger, type Service } from "@ikg/service";
import { type Decide, openDecide } from "./decide.ts";
import { type EvaluateBatch, type OnEntryFailure, openEvaluateBatch } from "./evaluate-batch.ts";
import { type OnFailure, openExplain } from "./explain.ts";
import type { PageTokens } from "./page-token.ts";
import { openSearchAction, type SearchAction } from "./search-action.ts";
import { openSearch, type Search } from "./search.ts";
import { type ExplainableDecide, withExplanation } from "./with-explanation.ts";
import { withMetrics } from "./with-metrics.ts";
import { withTracing } from "./with-tracing.ts";

/** Every question that the service answers. */
export interface DecisionService {
  readonly evaluate: ExplainableDecide;
  /** Without metrics, traces and explanations. */
  readonly decide: Decide;
  readonly evaluateBatch: EvaluateBatch;
  readonly searchResource: Search;
  readonly searchSubject: Search;
  readonly searchAction: SearchAction;
}

export interface DecisionParts {
  readonly graph: Graph;
  readonly tokens: PageTokens;
  readonly switches: DecisionSwitches;
  readonly instruments: Pick<Service, "metrics" | "tracing" | "log">;
}

/** Logs the class of an error alone: its message may hold values of the graph. */
const logFailure =
  (log: Logger): OnFailure =>
  ({ id: policy, version }, error, requestId) =>
    log.warn("a statement of an explanation failed", {
      policy,
      version,
      reason: error instanceof Error ? error.constructor.name : typeof error,
      ...(requestId === undefined ? {} : { request_id: loggedRequestId(requestId) }),
    });

/** One line for a batch: its entries fail together, with their statement. */
const logEntries =
  (log: Logger): OnEntryFailure =>
  (failures, requestId) => {
    const [first] = failures.toSorted((a, b) => a.status - b.status);
    if (first === undefined) return;
    const { cause = first } = first;
    const fields = {
      entries: failures.length,
      problem: first.code,
      ...(requestId === undefined ? {} : { request_id: loggedRequestId(requestId) }),
    };
    if (first.status === 500) log.error("entries of a batch failed", { ...fields, error: cause });
    else
      log.warn("entries of a batch failed", {
        ...fields,
        cause: cause instanceof Error ? cause.message : "",
      });
  };

/**
 * Composes the decisions of the service. Evaluations are explained, counted and traced, from the outside in: neither
 * the metrics of decisions nor the span `decide` contain the statements of an explanation. A search decides by the plain function: its many decisions
 * are one request.
 */
export const openDecisions = ({ graph, tokens, switches, instruments }: DecisionParts): DecisionService => {
  const decide = openDecide(graph, switches);
  const explain = openExplain(graph, switches, logFailure(instruments.log));
  const decideWithMetrics = withMetrics(instruments.metrics)(withTracing(instruments.tracing)(decide));
  const evaluate = withExplanation(explain)(decideWithMetrics);
  const search = { graph, tokens, decide, switches };
  return {
    evaluate,
    decide,
    evaluateBatch: openEvaluateBatch(evaluate, logEntries(instruments.log)),
    searchResource: openSearch(search, "resource"),
    searchSubject: openSearch(search, "subject"),
    searchAction: openSearchAction(decide, explain, tokens),
  };
};
