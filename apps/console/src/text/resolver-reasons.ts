import type { QueryPage } from "@ikg/client";

/** Why a value of a resolver is missing. */
export type ResolverReason = NonNullable<QueryPage["errors"]>[number]["reason"];

/** What each reason means: docs/resolvers.md. */
export const resolverReasonTexts: Readonly<Record<ResolverReason, string>> = {
  resolver_not_found: "No resolver has this name, or its headers cannot be decrypted",
  missing_param: "A value that the call needs is missing, or not allowed in its place",
  blocked_address: "The deployment does not allow the address",
  upstream_timeout: "No response within the time limits",
  upstream_unreachable: "The connection failed or was interrupted",
  upstream_status: "The response was not successful; redirects are not followed",
  content_type_mismatch: "The response is not JSON, or is compressed",
  invalid_json: "The response is not valid JSON",
  response_too_large: "The response is larger than 1 MiB",
  selector_no_match: "The response does not have the part that the selector names",
  circuit_open: "Too many calls failed; it is called again after half a minute",
  limit_exceeded: "Another limit was exceeded",
};
