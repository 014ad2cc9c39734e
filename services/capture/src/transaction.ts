import { Problem } from "@ikg/contracts";
import { type Graph, type Part, type StatementOptions, StatementTimeout, type Transaction } from "@ikg/graph";
import type { Project } from "./projects.ts";

/** Limit of one batch (README decision 24). */
const timeoutMs = 30_000;

/** What a verb knows of the request besides its body. */
export interface Request {
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** Called for each database that was written. */
  readonly onCommit?: StatementOptions["onCommit"];
}

/**
 * Runs `work` as the one transaction of a request on a database.
 *
 * @param part of a composite graph; the default database without it.
 * @throws Problem `unavailable` (503) past the limit: the transaction was rolled back, repeating it is safe.
 */
export const inOneTransaction = async <T>(
  graph: Graph,
  project: Project,
  { requestId, signal, onCommit }: Request,
  work: (tx: Transaction) => Promise<T>,
  part?: Part,
): Promise<T> => {
  try {
    return await graph.of(project, part).write(work, { timeoutMs, requestId, signal, onCommit });
  } catch (error) {
    if (!(error instanceof StatementTimeout)) throw error;
    throw new Problem("unavailable", { headers: { "Retry-After": "5" }, cause: error });
  }
};
