import { Problem } from "@ikg/contracts";
import { DataFault, MemoryLimitExceeded, StatementTimeout } from "@ikg/graph";

/**
 * What a statement's failure means to the caller of a decision or search. One that took too long is not made: to
 * be asked again.
 *
 * @returns Problem "unavailable" (503); everything else as it is.
 */
export const unanswered = (error: unknown): unknown =>
  error instanceof StatementTimeout
    ? new Problem("unavailable", { headers: { "Retry-After": "1" }, cause: error })
    : error;

/** @throws what `unanswered` says. */
export const answered = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw unanswered(error);
  }
};

/**
 * The same for the last word on a question, when no candidate can be tried by itself any more. A value that the pattern
 * cannot be evaluated with is the caller's or the graph's; which one, the database's own text would tell, and that stays
 * inside.
 *
 * @returns Problem "unprocessable" (422) for it; everything else as it is.
 */
export const refusedValues = (error: unknown): unknown =>
  error instanceof DataFault
    ? new Problem("unprocessable", {
        errors: [
          error instanceof MemoryLimitExceeded
            ? `policy: ${error.message}`
            : "policy: cannot be evaluated with the values of the request and the graph",
        ],
        cause: error,
      })
    : error;
