/**
 * Made from libs/contracts by libs/client/generate; do not edit.
 * `npm run generate` writes it anew.
 */

/** The codes of docs/errors.md. */
export type ProblemCode =
  | "malformed_body"
  | "invalid_request"
  | "malformed_bearer"
  | "client_key_invalid"
  | "service_account_required"
  | "service_account_invalid"
  | "bearer_required"
  | "bearer_invalid"
  | "token_filter_failed"
  | "permission_missing"
  | "role_read_only"
  | "role_missing"
  | "subject_mismatch"
  | "not_found"
  | "method_not_allowed"
  | "request_timeout"
  | "conflict"
  | "precondition_failed"
  | "body_too_large"
  | "unprocessable"
  | "input_param_missing"
  | "precondition_required"
  | "too_many_requests"
  | "internal"
  | "partly_written"
  | "commit_unknown"
  | "upstream_unreachable"
  | "unavailable"
  | "internal_context_invalid"
  | "credential_not_judged"
  | "upstream_too_slow";

/** Codes and their messages, by status. */
export const problems: Readonly<Record<number, readonly (readonly [code: ProblemCode, message: string])[]>> =
  {
    400: [
      ["malformed_body", "Bad Request"],
      ["invalid_request", "Bad Request"],
      ["malformed_bearer", "Bad Request"],
    ],
    401: [
      ["client_key_invalid", "client key missing or not valid"],
      ["service_account_required", "administrator token required"],
      ["service_account_invalid", "service account token not valid"],
      ["bearer_required", "bearer token required"],
      ["bearer_invalid", "bearer token not valid"],
      ["token_filter_failed", "the token does not satisfy the policy"],
    ],
    403: [
      ["permission_missing", "permission missing"],
      ["role_read_only", "the service account may only read"],
      ["role_missing", "the caller has no role that permits this operation"],
      ["subject_mismatch", "bearer token subject differs from requested subject"],
    ],
    404: [["not_found", "Not Found"]],
    405: [["method_not_allowed", "Method Not Allowed"]],
    408: [["request_timeout", "Request Timeout"]],
    409: [["conflict", "Conflict"]],
    412: [["precondition_failed", "Precondition Failed"]],
    413: [["body_too_large", "Content Too Large"]],
    422: [
      ["unprocessable", "Unprocessable Entity"],
      ["input_param_missing", "Unprocessable Entity"],
    ],
    428: [["precondition_required", "Precondition Required"]],
    429: [["too_many_requests", "Too Many Requests"]],
    500: [
      ["internal", "Internal Server Error"],
      ["partly_written", "the batch was written in part; send it again to write the rest"],
      ["commit_unknown", "Internal Server Error"],
    ],
    502: [["upstream_unreachable", "Bad Gateway"]],
    503: [
      ["unavailable", "Service Unavailable"],
      ["internal_context_invalid", "internal context missing or not valid"],
      ["credential_not_judged", "the credential could not be checked now"],
    ],
    504: [["upstream_too_slow", "Gateway Timeout"]],
  };
