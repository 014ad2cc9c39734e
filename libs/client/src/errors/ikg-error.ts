import type { ProblemCode } from "../contract/problems.ts";

/** What a response that is not a success says. */
export interface ErrorDetails {
  readonly code: ProblemCode;
  readonly status: number;
  readonly message: string;
  readonly errors?: readonly string[] | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
}

/**
 * A response that is not a success. A denial is a success: `can` and `decide` return it.
 *
 * The message of the error names the code and every detail; `errors` has the details one by one.
 */
export class IkgError extends Error {
  override readonly name: string = "IkgError";
  /** The code of the catalogue (docs/errors.md). */
  readonly code: ProblemCode;
  /** The HTTP status. */
  readonly status: number;
  /** The message of the response, without code and details. */
  readonly summary: string;
  /** Details, each beginning with the JSON path of the field; empty when there are none. */
  readonly errors: readonly string[];
  /** `X-Request-ID`: the logs of all services have the same id. */
  readonly requestId: string | undefined;
  /** Seconds after which the call may be repeated, where the response says so. */
  readonly retryAfter: number | undefined;

  constructor({ code, status, message, errors = [], requestId, retryAfter }: ErrorDetails) {
    super(`${message}${errors.length === 0 ? "" : `: ${errors.join("; ")}`} (${status} ${code})`);
    this.code = code;
    this.status = status;
    this.summary = message;
    this.errors = errors;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}
