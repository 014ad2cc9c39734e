import { createHash, webcrypto } from "node:crypto";

/** What is known of a value that a record does not hold: the length of its JSON in bytes, and the SHA-256 of it. */
export interface Digest {
  readonly bytes: number;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
}

/** @param shorten what is written instead of the value. */
export type DigestOf = (value: unknown, shorten?: (value: unknown) => unknown) => Digest;

/** Digests of the values of one record: each value is written as JSON and hashed once, however often it is named. */
export interface Digests {
  /** The digest of a value. Until `settle` has hashed a long one, its hash and those that depend on it are zeros. */
  readonly of: DigestOf;
  /** Hashes the long values that were met. False when there was none. */
  settle(): Promise<boolean>;
}

/** Longer texts, in bytes, are hashed outside of the thread that answers requests. */
const longText = 64 * 1024;
const notHashed = "0".repeat(64);

export const openDigests = (): Digests => {
  const known = new Map<unknown, Digest>();
  const long = new Map<unknown, Buffer>();
  let unsettled = 0;
  const preliminary = (bytes: number): Digest => {
    unsettled += 1;
    return { bytes, sha256: notHashed };
  };
  const digestOf: DigestOf = (value, shorten = (whole) => whole) => {
    const before = known.get(value);
    if (before !== undefined) return before;
    const waiting = long.get(value);
    if (waiting !== undefined) return preliminary(waiting.length);
    const unsettledBefore = unsettled;
    const text = Buffer.from(JSON.stringify(shorten(value)) ?? "");
    // It contains hashes that are not known yet.
    if (unsettled > unsettledBefore) return preliminary(text.length);
    if (text.length > longText) {
      long.set(value, text);
      return preliminary(text.length);
    }
    const digest = { bytes: text.length, sha256: createHash("sha256").update(text).digest("hex") };
    known.set(value, digest);
    return digest;
  };
  return {
    of: digestOf,
    settle: async () => {
      if (long.size === 0) return false;
      for (const [value, text] of long) {
        const hash = await webcrypto.subtle.digest("SHA-256", text);
        known.set(value, { bytes: text.length, sha256: Buffer.from(hash).toString("hex") });
        long.delete(value);
      }
      return true;
    },
  };
};

/** A digest in the place of a value. */
export const digestText = ({ sha256 }: Digest): string => `sha256:${sha256}`;
