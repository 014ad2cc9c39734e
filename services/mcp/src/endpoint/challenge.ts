import { type McpEndpoint, metadataOf } from "./mcp-endpoint.ts";

/** A refusal with a challenge: what the caller has to present instead (RFC 6750, section 3; RFC 9728, section 5.1). */
export class ChallengeError extends Error {
  override readonly name = "ChallengeError";
  readonly status: number;
  readonly body: object;
  readonly challenge: string;

  constructor(status: number, body: object & { readonly message: string }, challenge: string) {
    super(body.message);
    this.status = status;
    this.body = body;
    this.challenge = challenge;
  }
}

/** What a scope may consist of (RFC 6749, section 3.3); names of a configuration may be anything. */
const scopeForm = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

const scopeText = (scopes: readonly string[]): string =>
  scopes.filter((scope) => scopeForm.test(scope)).join(" ");

/** Addresses and scopes cannot contain quotes; texts are fixed. */
const bearer = (parameters: Readonly<Record<string, string>>): string =>
  `Bearer ${Object.entries(parameters)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}="${value.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, " ")}"`)
    .join(", ")}`;

/** 401 without an error code: no token was sent. */
export const tokenMissing = (endpoint: McpEndpoint): ChallengeError =>
  new ChallengeError(
    401,
    { message: "bearer token required", ...metadataOf(endpoint) },
    bearer({ resource_metadata: endpoint.metadataUrl, scope: scopeText(endpoint.server.scopesSupported) }),
  );

/** 401 for a token that this endpoint does not accept. */
export const tokenRefused = (endpoint: McpEndpoint, reason: string): ChallengeError => {
  const details = { error: "invalid_token", error_description: reason };
  return new ChallengeError(
    401,
    { message: reason, ...details, ...metadataOf(endpoint) },
    bearer({
      ...details,
      resource_metadata: endpoint.metadataUrl,
      scope: scopeText(endpoint.server.scopesSupported),
    }),
  );
};

/** 403 for a token that lacks a scope. @param needed every scope of this call. */
export const scopeMissing = (endpoint: McpEndpoint, needed: readonly string[]): ChallengeError => {
  const scope = scopeText(needed);
  const details = { error: "insufficient_scope", error_description: `the token needs the scope ${scope}` };
  return new ChallengeError(
    403,
    { message: details.error_description, ...details },
    bearer({
      error: details.error,
      scope,
      resource_metadata: endpoint.metadataUrl,
      error_description: details.error_description,
    }),
  );
};

/**
 * 400 for two Authorization headers, or a malformed one.
 *
 * @param errors what is wrong with it, for the body.
 */
export const requestInvalid = (endpoint: McpEndpoint, errors: readonly string[]): ChallengeError => {
  const details = {
    error: "invalid_request",
    error_description: "one bearer token in the Authorization header expected",
    errors,
  };
  return new ChallengeError(
    400,
    { message: details.error_description, ...details },
    bearer({ error: details.error, resource_metadata: endpoint.metadataUrl }),
  );
};
