import { Problem } from "@ikg/contracts";
import { DataFault, dataFaultReason, MemoryLimitExceeded, StatementTimeout } from "@ikg/graph";

/**
 * Maps a statement's failure to what the caller of a decision or search receives. A statement that took too long means that
 * no decision was made; the caller may retry, and sooner than after other timeouts: a client that gives a call twice the limit of
 * a decision has time for it.
 *
 * @returns Problem "unavailable" (503) for a timeout; every other error unchanged.
 */
export const decisionTimeoutAsUnavailable = (error: unknown): unknown =>
  error instanceof StatementTimeout
    ? new Problem("unavailable", { headers: { "Retry-After": "1" }, cause: error })
    : error;

/** @throws the error that `decisionTimeoutAsUnavailable` returns. */
export const withDecisionTimeoutAsUnavailable = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw decisionTimeoutAsUnavailable(error);
  }
};

/**
 * Maps the final failure of a question, when no candidate is left to be tried by itself. A value that the pattern cannot be
 * evaluated with comes from the caller or from the graph. The database's message would tell which, and stays internal.
 *
 * @returns Problem "unprocessable" (422) for such a value; every other error unchanged.
 */
export const dataFaultAsUnprocessable = (error: unknown): unknown =>
  error instanceof DataFault
    ? new Problem("unprocessable", {
        errors: [`policy: ${error instanceof MemoryLimitExceeded ? error.message : dataFaultReason}`],
        cause: error,
      })
    : error;
