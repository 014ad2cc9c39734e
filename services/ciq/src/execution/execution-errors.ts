import { Problem } from "@ikg/contracts";
import { DataFault, dataFaultReason, MemoryLimitExceeded, StatementTimeout } from "@ikg/graph";
import { AnswerTooLarge } from "../memory/execution-memory.ts";

const unprocessable = (error: string, cause: Error): Problem =>
  new Problem("unprocessable", { errors: [`query: ${error}`], cause });

/**
 * Maps the failure of an execution to the error that its caller receives.
 *
 * @returns Problem "unprocessable" (422) for too large an answer and for values that the query cannot be evaluated with,
 *   "request_timeout" (408); every other error unchanged.
 */
export const executionError = (error: unknown, pageBytes: number): unknown => {
  if (error instanceof AnswerTooLarge)
    return unprocessable(
      `its rows hold more than one execution may read (limit page_bytes, ${pageBytes})`,
      error,
    );
  if (error instanceof StatementTimeout) return new Problem("request_timeout", { cause: error });
  if (error instanceof MemoryLimitExceeded) return unprocessable(error.message, error);
  if (error instanceof DataFault) return unprocessable(dataFaultReason, error);
  return error;
};
