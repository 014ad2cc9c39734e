import { errors, type JWTPayload, jwtVerify, type JWTVerifyOptions } from "jose";
import { codePoints, Problem } from "@ikg/contracts";
import { bearerNotJudged, bearerRefused } from "./challenge.ts";
import type { KeyFinder } from "./keys.ts";
import type { IntrospectionConfig } from "./types.ts";
import { algorithms } from "./unverified.ts";

const maxSubject = 256;
const maxKeys = 10;

/** Tries the fitting keys one after the other, at most ten. */
const verifyWithAny = async (
  token: string,
  fitting: errors.JWKSMultipleMatchingKeys,
  options: JWTVerifyOptions,
): Promise<JWTPayload> => {
  let tried = 0;
  for await (const key of fitting) {
    if (++tried > maxKeys) break;
    try {
      return (await jwtVerify(token, key, options)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    }
  }
  throw new errors.JWSSignatureVerificationFailed();
};

const problemOf = (error: unknown): Problem => {
  if (error instanceof Problem) return error;
  if (error instanceof errors.JWTExpired) return bearerRefused("expired", error);
  if (error instanceof errors.JWTClaimValidationFailed) return bearerRefused("a claim does not fit", error);
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return bearerRefused("signature not valid", error);
  if (error instanceof errors.JWKSNoMatchingKey) return bearerRefused("unknown key", error);
  if (error instanceof errors.JOSEError) return bearerRefused("malformed", error);
  // A key that does not fit its algorithm is the issuer's or the record's fault, and the token is not accepted.
  if (error instanceof TypeError) return bearerRefused("key not usable", error);
  return bearerNotJudged(error);
};

/**
 * Verifies signature, issuer, audience and times of a token whose header was checked before (runtime specification
 * 2.4, steps 4 to 7).
 *
 * @param now milliseconds.
 * @throws Problem `bearer_invalid` (401), or `unavailable` (503) when no key could be had.
 */
export const verifyToken = async (
  token: string,
  config: IntrospectionConfig,
  keys: KeyFinder,
  now: number,
  skewSeconds: number,
): Promise<JWTPayload> => {
  const options: JWTVerifyOptions = {
    issuer: config.jwtMatcher?.issuer ?? [],
    audience: config.jwtMatcher?.audience ?? [],
    algorithms,
    clockTolerance: skewSeconds,
    requiredClaims: ["sub", "exp"],
    currentDate: new Date(now),
  };
  try {
    return (await jwtVerify(token, keys, options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw problemOf(error);
    try {
      return await verifyWithAny(token, error, options);
    } catch (inner) {
      throw problemOf(inner);
    }
  }
};

/** As a node's `external_id`; half a surrogate pair would be stored as another character, for two subjects the same. */
const isExternalId = (text: string): boolean =>
  text.length <= maxSubject * 2 && codePoints(text) <= maxSubject && text.isWellFormed();

/** @throws Problem `bearer_invalid` when the subject claim is no string of 1-256 characters. */
export const subjectOf = (payload: JWTPayload, config: IntrospectionConfig): string => {
  const subject = Object.hasOwn(payload, config.subClaim) ? payload[config.subClaim] : undefined;
  if (typeof subject !== "string" || subject === "" || !isExternalId(subject))
    throw bearerRefused("subject claim missing");
  return subject;
};
