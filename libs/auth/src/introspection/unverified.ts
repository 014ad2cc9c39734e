import { isUtf8 } from "node:buffer";
import type { JWTPayload, ProtectedHeaderParameters } from "jose";
import { isJsonObject } from "@ikg/contracts";
import { bearerRefused } from "./challenge.ts";
import type { IntrospectionConfig } from "./types.ts";

/** What a token says before anything of it is believed. */
export interface UnverifiedToken {
  readonly header: ProtectedHeaderParameters;
  readonly payload: JWTPayload;
}

const alphabet = /^[A-Za-z0-9_.-]*$/;

/** The object that a part holds. Done here and not by jose, whose way through `atob` takes five times as long. */
const objectIn = (part: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    // Buffer takes what no bytes are encoded as.
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
 * Claims that cannot be read are none: such a token is a JWT all the same, and not an opaque one.
 *
 * @returns undefined for a token that is no JWT: three base64url parts, the first an object with `alg`.
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
const isMeantFor = (payload: JWTPayload, { jwtMatcher }: IntrospectionConfig): boolean =>
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
 * The configuration that judges a token, chosen by what the token claims to be: issuer
 * and audience equal as strings; of several the oldest. Opaque tokens claim nothing.
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
    if (token === undefined ? config.opaqueMatcher !== undefined : isMeantFor(token.payload, config))
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
