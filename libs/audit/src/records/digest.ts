import { createHash } from "node:crypto";

/** What is known of a value that a record does not hold: the length of its JSON in bytes, and the SHA-256 of it. */
export interface Digest {
  readonly bytes: number;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
}

/** @param shorten what is written instead of the value. */
export type Digests = (value: unknown, shorten?: (value: unknown) => unknown) => Digest;

/** Digests of the values of one record: each value is written as JSON and hashed once, however often it is named. */
export const openDigests = (): Digests => {
  const known = new Map<unknown, Digest>();
  return (value, shorten = (whole) => whole) => {
    const before = known.get(value);
    if (before !== undefined) return before;
    const text = JSON.stringify(shorten(value)) ?? "";
    const digest = {
      bytes: Buffer.byteLength(text),
      sha256: createHash("sha256").update(text).digest("hex"),
    };
    known.set(value, digest);
    return digest;
  };
};

/** A digest in the place of a value. */
export const digestText = ({ sha256 }: Digest): string => `sha256:${sha256}`;
