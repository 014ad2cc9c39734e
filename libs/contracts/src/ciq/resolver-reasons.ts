/** Why an external value could not be resolved. */
export const resolverReasons = [
  "resolver_not_found",
  "missing_param",
  "blocked_address",
  "upstream_timeout",
  "upstream_unreachable",
  "upstream_status",
  "content_type_mismatch",
  "invalid_json",
  "response_too_large",
  "selector_no_match",
  "circuit_open",
  "limit_exceeded",
] as const;

export type ResolverReason = (typeof resolverReasons)[number];
