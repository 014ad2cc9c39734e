import type { ServerResponse } from "node:http";
import { type Credentials, openLastUse } from "@ikg/auth";
import type { Caller } from "@ikg/contracts";
import type { Redis } from "ioredis";
import { LRUCache } from "lru-cache";

/** Response header of a request whose token expires soon: when it does. */
const tokenExpiryHeader = "X-Token-Expires";

const soonMs = 14 * 86_400_000;
const dayMs = 86_400_000;
const maxReported = 10_000;

interface Log {
  warn(message: string, fields?: Record<string, unknown>): unknown;
}

/** Called with every admitted request. */
export type OnAdmitted = (caller: Caller, response: ServerResponse) => void;

/**
 * Notes which tokens of service accounts are used, and says for 14 days before one expires when it will: to its holder with every
 * response, to the operator once a day in the log.
 */
export const watchAccountTokens = (
  credentials: Pick<Credentials, "expiryOf">,
  redis: Redis,
  log: Log,
  now: () => number = Date.now,
): OnAdmitted => {
  const noteUse = openLastUse(redis, now);
  const reported = new LRUCache<string, true>({ max: maxReported, ttl: dayMs });
  return (caller, response) => {
    if (caller.kind !== "service_account") return;
    const { credential_kid: kid, service_account, org } = caller;
    noteUse(kid);
    const expires = credentials.expiryOf(caller);
    if (expires - now() > soonMs) return;
    const expire_time = new Date(expires).toISOString();
    response.setHeader(tokenExpiryHeader, expire_time);
    if (reported.has(kid)) return;
    reported.set(kid, true);
    log.warn("the token of a service account expires soon", { kid, service_account, org, expire_time });
  };
};
