import { hkdfSync } from "node:crypto";
import { isCurrent, keyRing, type KeyRing, open, type SealedPlace, seal } from "@ikg/secrets";
import type { Redis } from "ioredis";
import type { JWTPayload } from "jose";
import { type ByteBounds, ExpiringBytes } from "./expiring-bytes.ts";

/** An issuer's response about a token, valid until `until` (milliseconds). */
export interface CachedResponse {
  readonly payload: JWTPayload;
  readonly until: number;
}

/** Positive responses of issuers, shared by the processes of one service. */
export interface IssuerResponseCache {
  get(key: string, now: number): Promise<CachedResponse | undefined>;
  /** @param projectId whose issuer responded */
  set(key: string, projectId: string, response: CachedResponse, now: number): Promise<void>;
}

/**
 * Bytes that a process has in Redis for each project and in all: the issuer is the tenant's, and may accept any number of tokens.
 * Beyond it a response is not shared with other processes.
 */
const bounds: ByteBounds = { each: 4 * 1024 * 1024, all: 32 * 1024 * 1024 };

/** Bytes of the longest sealed response that is cached: usual ones fit, longer ones are requested again. */
const maxKeptBytes = 16 * 1024;
/** Of the key, and of what Redis keeps with an entry. */
const entryBytes = 300;

/**
 * Caches responses in Redis, sealed: they hold personal data, and a forged one would give its bearer any identity. The
 * sealed text is bound to the key, so that a response cannot be moved to another token. Services that have the same secret do
 * not accept each other's entries: each has a key prefix of its own, which the users of Redis let no other write. While Redis is unavailable
 * nothing is cached, and the issuer is called again.
 *
 * @param service whose processes share the responses.
 * @param former secrets under which responses were sealed before.
 */
export const openIssuerResponseCache = (
  redis: Redis,
  service: string,
  secret: Uint8Array,
  former: readonly Uint8Array[] = [],
): IssuerResponseCache => {
  const ringOf = (from: Uint8Array): KeyRing =>
    keyRing(Buffer.from(hkdfSync("sha256", from, "", "kept answers of issuers", 32)));
  const keys = ringOf(secret);
  // A ring for each: keys of one ring may not share an id, which one of 256 pairs does.
  const rings = [keys, ...former.map(ringOf)];
  const name = (key: string): string => `bearer:${service}:${key}`;
  const kept = new ExpiringBytes(bounds);
  const place = (key: string): SealedPlace => ({ record: `bearer:${service}`, field: key });

  return {
    get: async (key, now) => {
      try {
        const sealed = await redis.get(name(key));
        if (sealed === null) return undefined;
        const ring = rings.find((each) => isCurrent(each, sealed)) ?? keys;
        const response = JSON.parse(open(ring, place(key), sealed)) as CachedResponse; // authenticated by its seal
        return response.until > now ? response : undefined;
      } catch {
        return undefined;
      }
    },
    set: async (key, projectId, response, now) => {
      const ms = Math.floor(response.until - now);
      if (ms <= 0) return;
      const sealed = seal(keys, place(key), JSON.stringify(response));
      const bytes = Buffer.byteLength(sealed) + entryBytes;
      if (bytes > maxKeptBytes || !kept.add(projectId, bytes, response.until, now)) return;
      await redis.set(name(key), sealed, "PX", ms).catch(() => undefined);
    },
  };
};
