import { compactVerify, errors, type VerifyOptions } from "jose";
import { Problem } from "@ikg/contracts";
import { bearerCheckUnavailable, bearerRefused } from "./challenge.ts";
import type { KeyFinder } from "./keys.ts";
import { algorithms } from "./unverified.ts";

const maxKeys = 10;
const options: VerifyOptions = { algorithms };

/** Tries the matching keys one after the other, at most ten. */
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
  // The published or registered key does not fit its algorithm.
  if (error instanceof TypeError) return bearerRefused("key not usable", error);
  return bearerCheckUnavailable(error);
};

/**
 * Verifies the signature of a token. Its claims were decoded from the signed text and checked before; they can be trusted
 * once this returns.
 *
 * @throws Problem `bearer_invalid` (401), or `unavailable` (503) when no key could be fetched.
 */
export const verifySignature = async (token: string, keys: KeyFinder): Promise<void> => {
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
};
