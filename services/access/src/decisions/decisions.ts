import type { Graph } from "@ikg/graph";
import type { DecisionSwitches } from "@ikg/policy-core/statements";
import { loggedRequestId, type Logger, type Service } from "@ikg/service";
import { type Decide, openDecide } from "./decide.ts";
import { type EvaluateBatch, openEvaluateBatch } from "./evaluate-batch.ts";
import { type OnFailure, openExplain } from "./explain.ts";
import type { PageTokens } from "./page-token.ts";
import { openSearchAction, type SearchAction } from "./search-action.ts";
import { openSearch, type Search } from "./search.ts";
import { withExplanation } from "./with-explanation.ts";
import { withMetrics } from "./with-metrics.ts";
import { withTracing } from "./with-tracing.ts";

/** Every question that the service answers. */
export interface Decisions {
  readonly evaluate: Decide;
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

/** Wraps a decision; the first wrapper is the innermost. */
const wrap = (decide: Decide, ...wrappers: readonly ((inner: Decide) => Decide)[]): Decide =>
  wrappers.reduce((inner, wrapper) => wrapper(inner), decide);

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

/**
 * Composes the decisions of the service. Evaluations are traced, counted and explained. A search decides by the bare
 * function: its many decisions are one request.
 */
export const openDecisions = ({ graph, tokens, switches, instruments }: DecisionParts): Decisions => {
  const decide = openDecide(graph, switches);
  const explain = openExplain(graph, switches, logFailure(instruments.log));
  const evaluate = wrap(
    decide,
    withTracing(instruments.tracing),
    withMetrics(instruments.metrics),
    withExplanation(explain),
  );
  const search = { graph, tokens, decide, switches };
  return {
    evaluate,
    decide,
    evaluateBatch: openEvaluateBatch(evaluate),
    searchResource: openSearch(search, "resource"),
    searchSubject: openSearch(search, "subject"),
    searchAction: openSearchAction(decide, explain, tokens),
  };
};
