import { createLocalJWKSet, errors, type JSONWebKeySet, type JWK, type JWTVerifyGetKey } from "jose";
import { isJsonObject } from "@ikg/contracts";

/** Finds the key of a token among known ones; throws jose's `JWKSNoMatchingKey` or `JWKSMultipleMatchingKeys`. */
export type KeyFinder = JWTVerifyGetKey;

/**
 * Keys of a set: the one that the header names by `kid`, else those without a `kid`; then by type, curve, `use`,
 * `alg` and `key_ops`.
 */
export const keysOf = (set: JSONWebKeySet): KeyFinder => {
  const named = createLocalJWKSet(set);
  const nameless = createLocalJWKSet({ keys: set.keys.filter((key) => key.kid === undefined) });
  return async (header, token) => {
    try {
      return await named(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || header.kid === undefined) throw error;
      const { kid: _unknown, ...rest } = header;
      return nameless(rest, token);
    }
  };
};

/** A key as jose takes it: an object with a key type. */
const isJwk = (value: unknown): value is JWK => isJsonObject(value) && typeof value["kty"] === "string";

/** Registered keys. They were validated when they were saved; one that cannot be parsed is ignored. */
export const registeredKeys = (texts: readonly string[]): KeyFinder =>
  keysOf({
    keys: texts.flatMap((text) => {
      try {
        const key: unknown = JSON.parse(text);
        return isJwk(key) ? [key] : [];
      } catch {
        return [];
      }
    }),
  });

/** The keys of a fetched document; undefined when it is not a JWK set. */
export const keySetOf = (document: Readonly<Record<string, unknown>>): JSONWebKeySet | undefined => {
  const { keys } = document;
  return Array.isArray(keys) ? { keys: keys.filter(isJwk) } : undefined;
};
