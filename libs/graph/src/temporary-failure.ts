import { Problem } from "@ikg/contracts";
import { StatementTimeout } from "./errors.ts";

/** True for a failure that may be over when the work is tried again: an unavailable database, a busy one, a commit whose answer was lost. */
export const isTemporaryFailure = (error: unknown): boolean =>
  error instanceof StatementTimeout ||
  (error instanceof Problem && ["unavailable", "commit_unknown"].includes(error.code));
