import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";

/** Kind and version of a credential: an application agent's API key, or a service account's token. */
export type CredentialPrefix = "ak1" | "sa1";

export interface Credential {
  /** What the caller sends; shown once and never stored. */
  readonly token: string;
  /** Public id of the credential: 16 characters `[0-9a-z]`. */
  readonly kid: string;
}

const form = /^(?:ak1|sa1)_[0-9a-z]{16}_[A-Za-z0-9_-]{43}_[0-9a-f]{8}$/;
const kidStart = 4;
const kidEnd = 20;
const checksumLength = 8;

const checksum = (text: string): string => crc32(text).toString(16).padStart(checksumLength, "0");

const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz";
/** Largest multiple of 36 in a byte: bytes from it on would make the first letters likelier. */
const fair = 252;

const randomKid = (): string => {
  let kid = "";
  while (kid.length < kidEnd - kidStart)
    for (const byte of randomBytes(32))
      if (byte < fair && kid.length < kidEnd - kidStart) kid += alphabet[byte % alphabet.length];
  return kid;
};

/** A new credential of 256 random bits with a key id to find it by and a checksum against typos. */
export const newCredential = (prefix: CredentialPrefix): Credential => {
  const kid = randomKid();
  const body = `${prefix}_${kid}_${randomBytes(32).toString("base64url")}`;
  return { token: `${body}_${checksum(body)}`, kid };
};

/**
 * Reads a credential by position, since the secret itself may hold underscores.
 *
 * @returns undefined for anything that is not of the form or whose checksum is wrong: it needs no look-up.
 */
export const parseCredential = (
  token: string,
): { readonly prefix: CredentialPrefix; readonly kid: string } | undefined => {
  if (!form.test(token)) return undefined;
  const body = token.slice(0, -checksumLength - 1);
  if (checksum(body) !== token.slice(-checksumLength)) return undefined;
  return { prefix: token.startsWith("ak1") ? "ak1" : "sa1", kid: token.slice(kidStart, kidEnd) };
};

/** Issued here, or meant to be: then it is never sent to an issuer of users' tokens. */
export const isOwnCredential = (token: string): boolean => /^(?:ak1|sa1)_/.test(token);

/** A service account's token, by its beginning. */
export const isAccountToken = (token: string): boolean => token.startsWith("sa1_");

/** An agent's key, by its beginning: one with a typo is a key all the same, and not a user's token. */
export const isAgentKey = (token: string): boolean => token.startsWith("ak1_");

/** What is stored of a credential: HMAC-SHA-256 of the whole token, hex. 256 random bits need no slow hash. */
export const hashCredential = (token: string, pepper: Uint8Array): string =>
  createHmac("sha256", pepper).update(token).digest("hex");

/** Compares two hashes without telling by time where they differ. */
export const sameHash = (one: string, other: string): boolean => {
  const left = Buffer.from(one);
  const right = Buffer.from(other);
  return left.length === right.length && timingSafeEqual(left, right);
};
