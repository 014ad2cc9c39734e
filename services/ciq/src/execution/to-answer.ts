import type { ProjectSnapshot } from "@ikg/catalog";
import { pageTokenOfOffset } from "@ikg/contracts";
import { JsonText } from "@ikg/service";
import type { ResolverCall } from "../explain/resolver-call.ts";
import type { Page } from "../results/page.ts";
import { answerText } from "./answer-text.ts";
import type { ExecuteParts, Execution, ExecutionAnswer } from "./execution.ts";
import type { StatementContext } from "./statement-context.ts";

/** Completes a page by its external values and, on request, by an explanation. */
export const toAnswer = async (
  resolvers: ExecuteParts["resolvers"],
  page: Page,
  { caller, request, signal, listener }: Execution,
  view: ProjectSnapshot,
  { explainer, deadline, memory, page: limits, take }: StatementContext,
): Promise<ExecutionAnswer> => {
  const onCalls = (calls: readonly ResolverCall[]): void => {
    listener?.onResolverCalls(calls);
    explainer?.recordCalls(calls);
  };
  const { errors, pieces } = await resolvers.resolve(page, {
    view,
    project: view.project,
    pageBytes: limits.bytes,
    inputParams: request.input_params,
    applicationId: caller.application,
    signal,
    leftMs: deadline - performance.now(),
    onCalls,
  });
  const explanation = await explainer?.explanation();
  const next = page.next === undefined ? undefined : pageTokenOfOffset(page.next, take);
  const text = answerText({ pieces, errors: [...errors], next, explanation });
  return { rows: page.count, body: new JsonText(text, () => memory.release()) };
};
