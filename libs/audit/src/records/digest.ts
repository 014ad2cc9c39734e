import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isLongJson, jsonPieces } from "./json-pieces.ts";

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
  /** The digest of a value. Until `settle` has made that of a long one, it and those that depend on it are preliminary. */
  readonly of: DigestOf;
  /** Makes the digests of the long values that were met. False when there was none. */
  settle(): Promise<boolean>;
}

const preliminary: Digest = { bytes: Number.MAX_SAFE_INTEGER, sha256: "0".repeat(64) };

/** Other requests are answered between two pieces of a long value. */
const digestInPieces = async (value: unknown): Promise<Digest> => {
  const hash = createHash("sha256");
  let bytes = 0;
  for (const piece of jsonPieces(value)) {
    if (bytes > 0) await nextTurn();
    bytes += Buffer.byteLength(piece);
    hash.update(piece);
  }
  return { bytes, sha256: hash.digest("hex") };
};

export const openDigests = (): Digests => {
  const known = new Map<unknown, Digest>();
  /** Long values, each with what is written instead. */
  const long = new Map<unknown, unknown>();
  let unsettled = 0;
  const wait = (): Digest => {
    unsettled += 1;
    return preliminary;
  };
  const digestOf: DigestOf = (value, shorten = (whole) => whole) => {
    const before = known.get(value);
    if (before !== undefined) return before;
    if (long.has(value)) return wait();
    const unsettledBefore = unsettled;
    const written = shorten(value);
    // It contains hashes that are not known yet.
    if (unsettled > unsettledBefore) return wait();
    if (isLongJson(written)) {
      long.set(value, written);
      return wait();
    }
    const text = JSON.stringify(written) ?? "";
    const digest = {
      bytes: Buffer.byteLength(text),
      sha256: createHash("sha256").update(text).digest("hex"),
    };
    known.set(value, digest);
    return digest;
  };
  return {
    of: digestOf,
    settle: async () => {
      if (long.size === 0) return false;
      for (const [value, written] of long) known.set(value, await digestInPieces(written));
      long.clear();
      return true;
    },
  };
};

/** A digest in the place of a value. */
export const digestText = ({ sha256 }: Digest): string => `sha256:${sha256}`;
