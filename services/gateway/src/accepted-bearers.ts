import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";

/** Bearers that a service has accepted lately, each on the path on which it did. */
export interface AcceptedBearers {
  has(request: IncomingMessage): boolean;
  add(request: IncomingMessage): void;
}

const maxBearers = 50_000;
const lifetimeMs = 600_000;

/** undefined for a request without a bearer. */
const digestOf = ({ headers: { authorization }, url = "" }: IncomingMessage): string | undefined =>
  authorization === undefined
    ? undefined
    : hash("sha256", `${url.split("?", 1)[0]}\n${authorization}`, "base64");

/** Remembers them by their hash. */
export const openAcceptedBearers = (now: () => number = Date.now): AcceptedBearers => {
  /** Until when each is remembered. */
  const bearers = new LRUCache<string, number>({ max: maxBearers });
  return {
    has: (request) => {
      const digest = digestOf(request);
      return digest !== undefined && (bearers.get(digest) ?? 0) > now();
    },
    add: (request) => {
      const digest = digestOf(request);
      if (digest !== undefined) bearers.set(digest, now() + lifetimeMs);
    },
  };
};
