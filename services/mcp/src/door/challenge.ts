import { type Door, metadataOf } from "./door.ts";

/** An answer that keeps a caller out, with what would let it in (RFC 6750, section 3; RFC 9728, section 5.1). */
export class Refusal extends Error {
  override readonly name = "Refusal";
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

export const scopeText = (scopes: readonly string[]): string =>
  scopes.filter((scope) => scopeForm.test(scope)).join(" ");

/** Addresses and scopes are free of quotes by their form; texts are our own. */
const bearer = (parameters: Readonly<Record<string, string>>): string =>
  `Bearer ${Object.entries(parameters)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}="${value.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, " ")}"`)
    .join(", ")}`;

/** 401 without a word on an error: no token came. */
export const tokenMissing = (door: Door): Refusal =>
  new Refusal(
    401,
    { message: "bearer token required", ...metadataOf(door) },
    bearer({ resource_metadata: door.metadataUrl, scope: scopeText(door.server.scopesSupported) }),
  );

/** 401 for a token that does not open this endpoint. */
export const tokenRefused = (door: Door, reason: string): Refusal => {
  const said = { error: "invalid_token", error_description: reason };
  return new Refusal(
    401,
    { message: reason, ...said, ...metadataOf(door) },
    bearer({
      ...said,
      resource_metadata: door.metadataUrl,
      scope: scopeText(door.server.scopesSupported),
    }),
  );
};

/** 403 for a token that was not granted enough. @param needed every scope of this call. */
export const scopeMissing = (door: Door, needed: readonly string[]): Refusal => {
  const scope = scopeText(needed);
  const said = { error: "insufficient_scope", error_description: `the token needs the scope ${scope}` };
  return new Refusal(
    403,
    { message: said.error_description, ...said },
    bearer({
      error: said.error,
      scope,
      resource_metadata: door.metadataUrl,
      error_description: said.error_description,
    }),
  );
};

/**
 * 400 for two Authorization headers, or one that is not of the form.
 *
 * @param errors what is wrong with it, for the body.
 */
export const requestInvalid = (door: Door, errors: readonly string[]): Refusal => {
  const said = {
    error: "invalid_request",
    error_description: "one bearer token in the Authorization header expected",
    errors,
  };
  return new Refusal(
    400,
    { message: said.error_description, ...said },
    bearer({ error: said.error, resource_metadata: door.metadataUrl }),
  );
};
