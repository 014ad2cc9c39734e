import { decodeJwtPart } from "../text/decode-jwt-part.ts";
import type { Members } from "../text/json.ts";

/** Claims that a test's own token has instead. */
const ofOneToken: ReadonlySet<string> = new Set(["iat", "nbf", "exp", "jti"]);

/**
 * The claims of a signed token that its signature does not bind to a moment: without the signature they are no credential. A
 * claim that is a time, as `auth_time`, stays.
 *
 * @returns undefined for an opaque token, whose claims its issuer alone knows, and for one that names no subject.
 */
export const tokenClaims = (token: string): Members | undefined => {
  const [, payload, signature] = token.split(".");
  if (payload === undefined || signature === undefined) return undefined;
  const claims = decodeJwtPart(payload);
  if (typeof claims?.["sub"] !== "string") return undefined;
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !ofOneToken.has(name)));
};
