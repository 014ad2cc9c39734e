import { isUtf8 } from "node:buffer";
import type { JWTPayload, ProtectedHeaderParameters } from "jose";
import { isJsonObject } from "@ikg/contracts";
import { bearerRefused } from "./challenge.ts";
import type { IntrospectionConfig } from "./types.ts";

/** The content of a token before anything of it is verified. */
export interface UnverifiedToken {
  readonly header: ProtectedHeaderParameters;
  readonly payload: JWTPayload;
}

const alphabet = /^[A-Za-z0-9_.-]*$/;

/** Decodes a JSON object. Not done by jose, whose decoding with `atob` takes five times as long. */
const objectIn = (part: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    // Buffer accepts this length, although no base64url text has it.
    if (part.length % 4 === 1) return undefined;
    const bytes = Buffer.from(part, "base64url");
    if (!isUtf8(bytes)) return undefined;
    const value: unknown = JSON.parse(bytes.toString());
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Decodes a JWT: three base64url parts, of which the first is an object with `alg`. A token whose claims cannot be decoded
 * has none; it is a JWT all the same, and not an opaque token.
 *
 * @returns undefined for a token that is not a JWT.
 */
export const decodeUnverified = (token: string): UnverifiedToken | undefined => {
  const parts = token.split(".");
  const [head = "", claims = ""] = parts;
  if (parts.length !== 3 || !alphabet.test(token)) return undefined;
  const header = objectIn(head);
  return header !== undefined && "alg" in header ? { header, payload: objectIn(claims) ?? {} } : undefined;
};

const audiences = (payload: JWTPayload): readonly string[] =>
  Array.isArray(payload.aud) ? payload.aud : payload.aud === undefined ? [] : [payload.aud];

/** Issuer and audience of a configuration, equal as strings. */
const isMatch = (payload: JWTPayload, { jwtMatcher }: IntrospectionConfig): boolean =>
  jwtMatcher !== undefined &&
  jwtMatcher.issuer === payload.iss &&
  audiences(payload).includes(jwtMatcher.audience);

/** Of two configurations the older one; of the same age, the one whose id comes first. */
const older = (one: IntrospectionConfig | undefined, other: IntrospectionConfig): IntrospectionConfig => {
  if (one === undefined) return other;
  const order = one.createTime === other.createTime ? one.id < other.id : one.createTime < other.createTime;
  return order ? one : other;
};

/**
 * Selects the configuration for a token by its issuer and audience, which are compared as strings; of several the oldest.
 * Opaque tokens match any configuration for opaque tokens.
 *
 * @param token undefined for an opaque token.
 */
export const selectConfig = (
  token: UnverifiedToken | undefined,
  configs: readonly IntrospectionConfig[],
): IntrospectionConfig | undefined => {
  if (token !== undefined && (typeof token.payload.iss !== "string" || typeof token.payload.sub !== "string"))
    return undefined;
  let found: IntrospectionConfig | undefined;
  for (const config of configs)
    if (token === undefined ? config.opaqueMatcher !== undefined : isMatch(token.payload, config))
      found = older(found, config);
  return found;
};

/** Signature algorithms of public keys; `none` and everything with a shared secret is refused (RFC 8725, 3.1). */
export const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

/** The header is unverified JSON: its members may be anything. */
const allowedType = (type: unknown): boolean =>
  type === undefined || (typeof type === "string" && types.has(type.toLowerCase()));

const types = new Set(["jwt", "at+jwt", "application/at+jwt"]);

/**
 * Checks that need no key and no network: first the header, then the times.
 *
 * @param now milliseconds.
 * @throws Problem `bearer_invalid`.
 */
export const precheck = ({ header, payload }: UnverifiedToken, now: number, skewSeconds: number): void => {
  if (!algorithms.includes(header.alg ?? "")) throw bearerRefused("algorithm not allowed");
  if (header.crit !== undefined) throw bearerRefused("critical header not supported");
  if (!allowedType(header.typ)) throw bearerRefused("type not allowed");
  const seconds = now / 1000;
  const { exp, nbf, iat } = payload;
  if (typeof exp !== "number") throw bearerRefused("exp missing");
  if (seconds >= exp + skewSeconds) throw bearerRefused("expired");
  if (nbf !== undefined && !(typeof nbf === "number" && seconds >= nbf - skewSeconds))
    throw bearerRefused("not yet valid");
  if (iat !== undefined && !(typeof iat === "number" && iat <= seconds + skewSeconds))
    throw bearerRefused("issued in the future");
};
