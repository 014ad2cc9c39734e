import type { TokenIntrospectRecord } from "@ikg/client";
import { decodeJwtPart } from "../../../../text/decode-jwt-part.ts";
import type { Members } from "../../../../text/json.ts";

/** What a JWT says, before anything of it is verified. */
export interface ReadToken {
  readonly header: Members;
  readonly claims: Members;
}

/** The header and the claims of a JWT; undefined for any other token. */
export const readToken = (token: string): ReadToken | undefined => {
  const parts = token.split(".");
  const [head = "", claims = ""] = parts;
  const header = parts.length === 3 ? decodeJwtPart(head) : undefined;
  if (header === undefined || !("alg" in header)) return undefined;
  return { header, claims: decodeJwtPart(claims) ?? {} };
};

const audiencesOf = (claims: Members): readonly unknown[] => {
  const audience = claims["aud"];
  return Array.isArray(audience) ? audience : [audience];
};

/** The token introspection that the suite chooses for a token: by issuer and audience, the oldest of several. */
export const introspectOf = (
  token: ReadToken | undefined,
  introspects: readonly TokenIntrospectRecord[],
): TokenIntrospectRecord | undefined =>
  introspects
    .filter(({ jwt_matcher: jwt, opaque_matcher: opaque }) =>
      token === undefined
        ? opaque !== undefined
        : jwt !== undefined &&
          jwt.issuer === token.claims["iss"] &&
          audiencesOf(token.claims).includes(jwt.audience),
    )
    .toSorted(
      (one, other) => one.create_time.localeCompare(other.create_time) || one.id.localeCompare(other.id),
    )[0];

/** Claims that are times, in seconds since 1970. */
const times: ReadonlySet<string> = new Set(["exp", "iat", "nbf", "auth_time"]);

/** The time that a claim is; undefined for any other claim. */
export const timeOf = (name: string, value: unknown): string | undefined => {
  if (!times.has(name) || typeof value !== "number") return undefined;
  const date = new Date(value * 1_000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
};
