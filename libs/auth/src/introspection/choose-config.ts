import { hash } from "node:crypto";
import { isOwnCredential } from "../credential.ts";
import { bearerRefused } from "./challenge.ts";
import type { IntrospectionConfig } from "./types.ts";
import { decodeUnverified, selectConfig, type UnverifiedToken } from "./unverified.ts";

/** More than the headers of a request may hold. */
const maxTokenLength = 16_384;

/** A bearer token with the configuration that verifies it. */
export interface Candidate {
  readonly bearer: string;
  /** SHA-256 of the token, in hexadecimal digits. */
  readonly digest: string;
  /** Undefined for an opaque token. */
  readonly unverified: UnverifiedToken | undefined;
  readonly config: IntrospectionConfig;
}

export const digestOf = (bearer: string): string => hash("sha256", bearer, "hex");

/**
 * Chooses the configuration that verifies a token.
 *
 * @throws Problem `bearer_invalid` when none matches, and for tokens that must not be sent to an issuer.
 */
export const chooseConfig = (
  bearer: string,
  digest: string,
  configs: readonly IntrospectionConfig[],
): Candidate => {
  if (bearer.length > maxTokenLength) throw bearerRefused("too long");
  // The issuer of an opaque token would receive it.
  if (isOwnCredential(bearer)) throw bearerRefused("a key or service-account token is not a user's token");
  const unverified = decodeUnverified(bearer);
  const config = selectConfig(unverified, configs);
  if (config === undefined) throw bearerRefused("no configuration matches");
  return { bearer, digest, unverified, config };
};
