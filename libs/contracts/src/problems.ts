/**
 * The catalogue of errors: every error response is one of these. `message` is the reason phrase of the status, or for 401
 * and 403 a short cause.
 */
export const problems = {
  malformed_body: { status: 400, message: "Bad Request" },
  invalid_request: { status: 400, message: "Bad Request" },
  malformed_bearer: { status: 400, message: "Bad Request" },
  client_key_invalid: { status: 401, message: "client key missing or not valid" },
  service_account_required: { status: 401, message: "administrator token required" },
  service_account_invalid: { status: 401, message: "service account token not valid" },
  bearer_required: { status: 401, message: "bearer token required" },
  bearer_invalid: { status: 401, message: "bearer token not valid" },
  token_filter_failed: { status: 401, message: "the token does not satisfy the policy" },
  permission_missing: { status: 403, message: "permission missing" },
  role_read_only: { status: 403, message: "the service account may only read" },
  role_missing: { status: 403, message: "the caller has no role that permits this operation" },
  subject_mismatch: { status: 403, message: "bearer token subject differs from requested subject" },
  not_found: { status: 404, message: "Not Found" },
  method_not_allowed: { status: 405, message: "Method Not Allowed" },
  request_timeout: { status: 408, message: "Request Timeout" },
  conflict: { status: 409, message: "Conflict" },
  precondition_failed: { status: 412, message: "Precondition Failed" },
  body_too_large: { status: 413, message: "Content Too Large" },
  unprocessable: { status: 422, message: "Unprocessable Entity" },
  input_param_missing: { status: 422, message: "Unprocessable Entity" },
  precondition_required: { status: 428, message: "Precondition Required" },
  too_many_requests: { status: 429, message: "Too Many Requests" },
  internal: { status: 500, message: "Internal Server Error" },
  partly_written: { status: 500, message: "the batch was written in part; send it again to write the rest" },
  commit_unknown: { status: 500, message: "Internal Server Error" },
  upstream_unreachable: { status: 502, message: "Bad Gateway" },
  unavailable: { status: 503, message: "Service Unavailable" },
  internal_context_invalid: { status: 503, message: "internal context missing or not valid" },
  credential_not_judged: { status: 503, message: "the credential could not be checked now" },
  upstream_too_slow: { status: 504, message: "Gateway Timeout" },
} as const satisfies Record<string, { status: number; message: string }>;

export type ProblemCode = keyof typeof problems;

/** The body of every error response. `errors` is present only when there are details. */
export interface ErrorEnvelope {
  readonly message: string;
  readonly errors?: readonly string[];
}

/** Details that one response has at most. */
export const maxErrorDetails = 50;

export interface ProblemDetails {
  /** Entries of `errors`, each beginning with the JSON path of the field. */
  readonly errors?: readonly string[];
  /** Replaces the message of the catalogue, for 401 and 403 causes that name something. */
  readonly message?: string;
  /** Response headers, such as `WWW-Authenticate`, `Allow`, `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The internal cause; logged, never sent to the caller. */
  readonly cause?: unknown;
}

/** An error of the catalogue. Everything but `cause` is safe to show to the caller. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly code: ProblemCode;
  readonly status: number;
  readonly errors: readonly string[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, details: ProblemDetails = {}) {
    const entry = problems[code];
    super(
      details.message ?? entry.message,
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.code = code;
    this.status = entry.status;
    this.errors = details.errors ?? [];
    this.headers = details.headers ?? {};
  }

  /** The body of the response. */
  envelope(): ErrorEnvelope {
    return this.errors.length === 0
      ? { message: this.message }
      : { message: this.message, errors: this.errors.slice(0, maxErrorDetails) };
  }
}

/**
 * 404 for a project that is unknown or whose graph is not ACTIVE.
 *
 * @param field that names the project in the request, or `project` for the one of the key.
 */
export const noActiveGraph = (field: string): Problem =>
  new Problem("not_found", { errors: [`${field}: the project has no active graph`] });
