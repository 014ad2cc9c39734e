import { Problem } from "@ikg/contracts";
import { type Graph, StatementTimeout, type Transaction } from "@ikg/graph";
import type { Project } from "./projects.ts";

/** Limit of one batch (README decision 24). */
const timeoutMs = 30_000;

/** What a verb knows of the request besides its body. */
export interface Request {
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/**
 * Runs `work` as the one transaction of a request.
 *
 * @throws Problem `unavailable` (503) past the limit: the transaction was rolled back, repeating it is safe.
 */
export const inOneTransaction = async <T>(
  graph: Graph,
  project: Project,
  { requestId, signal }: Request,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> => {
  try {
    return await graph.of(project).write(work, { timeoutMs, requestId, signal });
  } catch (error) {
    if (!(error instanceof StatementTimeout)) throw error;
    throw new Problem("unavailable", { headers: { "Retry-After": "5" }, cause: error });
  }
};
