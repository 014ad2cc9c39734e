import { Problem } from "@ikg/contracts";
import {
  type Graph,
  MemoryLimitExceeded,
  type DatabasePart,
  type StatementOptions,
  timeoutAsUnavailable,
  type Transaction,
} from "@ikg/graph";
import type { Project } from "../projects/projects.ts";

/** The transaction of a request. */
interface OneTransaction<T> {
  readonly work: (tx: Transaction) => Promise<T>;
  /** Number of rows that it writes. */
  readonly rows: number;
  /** The part of a composite graph that it writes; undefined for the default database. */
  readonly part?: DatabasePart | undefined;
}

/** Limit of one batch, in milliseconds. */
const timeoutMs = 30_000;

/** A request besides its body. */
export interface Request {
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** Called for each database that was written. */
  readonly onCommit?: StatementOptions["onCommit"];
}

/** @returns a Problem for an error of a limit of time or memory; every other error unchanged. */
const problemOf = (error: unknown): unknown =>
  error instanceof MemoryLimitExceeded
    ? new Problem("unprocessable", {
        errors: [`batch: ${error.message}; send it in smaller batches`],
        cause: error,
      })
    : timeoutAsUnavailable(error);

/**
 * Runs work of several transactions within the limit of one batch.
 *
 * @param work receives its deadline, in the milliseconds of `performance.now`.
 * @throws Problem `unavailable` (503) past the limit.
 */
export const inTime = async <T>(work: (deadline: number) => Promise<T>): Promise<T> => {
  try {
    return await work(performance.now() + timeoutMs);
  } catch (error) {
    throw problemOf(error);
  }
};

/**
 * Runs `work` as the one transaction of a request on a database.
 *
 * @throws Problem `unavailable` (503) past the limit: the transaction was rolled back, repeating it is safe; `unprocessable` (422)
 *   for a batch that needs more memory than one transaction may use.
 */
export const inOneTransaction = async <T>(
  graph: Graph,
  project: Project,
  { requestId, signal, onCommit }: Request,
  { work, rows, part }: OneTransaction<T>,
): Promise<T> => {
  try {
    return await graph.of(project, part).write(work, { timeoutMs, requestId, signal, rows, onCommit });
  } catch (error) {
    throw problemOf(error);
  }
};
