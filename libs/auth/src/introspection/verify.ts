import { compactVerify, errors, type JWTPayload, type VerifyOptions } from "jose";
import { codePoints, Problem } from "@ikg/contracts";
import { bearerNotJudged, bearerRefused } from "./challenge.ts";
import type { KeyFinder } from "./keys.ts";
import type { IntrospectionConfig } from "./types.ts";
import { algorithms, isMeantFor, precheck, type UnverifiedToken } from "./unverified.ts";

const maxSubject = 256;
const maxKeys = 10;
const options: VerifyOptions = { algorithms };

/** Tries the fitting keys one after the other, at most ten. */
const verifyWithAny = async (token: string, fitting: errors.JWKSMultipleMatchingKeys): Promise<void> => {
  let tried = 0;
  for await (const key of fitting) {
    if (++tried > maxKeys) break;
    try {
      await compactVerify(token, key, options);
      return;
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    }
  }
  throw new errors.JWSSignatureVerificationFailed();
};

const problemOf = (error: unknown): Problem => {
  if (error instanceof Problem) return error;
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return bearerRefused("signature not valid", error);
  if (error instanceof errors.JWKSNoMatchingKey) return bearerRefused("unknown key", error);
  if (error instanceof errors.JOSEError) return bearerRefused("malformed", error);
  // A key that does not fit its algorithm is the issuer's or the record's fault, and the token is not accepted.
  if (error instanceof TypeError) return bearerRefused("key not usable", error);
  return bearerNotJudged(error);
};

/**
 * Verifies signature, times, issuer and audience of a token (runtime specification 2.4). The claims were read before,
 * from the text that is signed: jose would read them once more, and what it checks of them costs nothing here.
 *
 * @param now milliseconds.
 * @returns the claims.
 * @throws Problem `bearer_invalid` (401), or `unavailable` (503) when no key could be had.
 */
export const verifyToken = async (
  token: string,
  unverified: UnverifiedToken,
  config: IntrospectionConfig,
  keys: KeyFinder,
  now: number,
  skewSeconds: number,
): Promise<JWTPayload> => {
  try {
    await compactVerify(token, keys, options);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw problemOf(error);
    try {
      await verifyWithAny(token, error);
    } catch (inner) {
      throw problemOf(inner);
    }
  }
  const { payload } = unverified;
  precheck(unverified, now, skewSeconds);
  if (typeof payload.sub !== "string" || !isMeantFor(payload, config))
    throw bearerRefused("a claim does not fit");
  return payload;
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
