import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";

/** Bearers that a service has accepted, or refused, recently, each on the path on which it did. */
export interface RecentBearers {
  /** @param digest undefined: no bearer, which is never remembered. */
  has(digest: string | undefined): boolean;
  add(digest: string | undefined): void;
}

const maxBearers = 50_000;

/** Under what a request's bearer is remembered; undefined for a request without one. */
export const bearerDigest = ({ headers, url = "" }: IncomingMessage): string | undefined =>
  headers.authorization === undefined
    ? undefined
    : hash("sha256", `${url.split("?", 1)[0]}\n${headers.authorization}`, "base64");

/** @param lifetimeMs how long a bearer is remembered after its last answer. */
export const openRecentBearers = (lifetimeMs: number): RecentBearers => {
  const digests = new LRUCache<string, true>({ max: maxBearers, ttl: lifetimeMs });
  return {
    has: (digest) => digest !== undefined && digests.get(digest) === true,
    add: (digest) => {
      if (digest !== undefined) digests.set(digest, true);
    },
  };
};
