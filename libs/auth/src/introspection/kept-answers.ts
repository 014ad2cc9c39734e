import { hkdfSync } from "node:crypto";
import { isCurrent, keyRing, type KeyRing, open, type SealedPlace, seal } from "@ikg/secrets";
import type { Redis } from "ioredis";
import type { JWTPayload } from "jose";

/** An issuer's response about a token, valid until `until` (milliseconds). */
export interface KeptAnswer {
  readonly payload: JWTPayload;
  readonly until: number;
}

/** Good answers of issuers, shared by the services. */
export interface KeptAnswers {
  get(key: string, now: number): Promise<KeptAnswer | undefined>;
  set(key: string, answer: KeptAnswer, now: number): Promise<void>;
}

/** Bytes of the longest response that is cached, sealed: those of usual issuers fit, longer ones are requested again. */
const maxKeptBytes = 16 * 1024;

/**
 * Keeps answers in Redis, sealed: they hold personal data, and a forged one would give its bearer any identity.
 * The key is part of what is sealed, so that an answer cannot be moved to another token. Without Redis nothing is
 * kept, and the issuer is called again.
 *
 * @param former secrets under which answers were kept before.
 */
export const keptAnswers = (
  redis: Redis,
  secret: Uint8Array,
  former: readonly Uint8Array[] = [],
): KeptAnswers => {
  const ringOf = (from: Uint8Array): KeyRing =>
    keyRing(Buffer.from(hkdfSync("sha256", from, "", "kept answers of issuers", 32)));
  const keys = ringOf(secret);
  // A ring for each: keys of one ring may not share an id, which one of 256 pairs does.
  const rings = [keys, ...former.map(ringOf)];
  const name = (key: string): string => `bearer:${key}`;
  const place = (key: string): SealedPlace => ({ record: "bearer", field: key });

  return {
    get: async (key, now) => {
      try {
        const sealed = await redis.get(name(key));
        if (sealed === null) return undefined;
        const ring = rings.find((each) => isCurrent(each, sealed)) ?? keys;
        const answer = JSON.parse(open(ring, place(key), sealed)) as KeptAnswer; // sealed by us alone
        return answer.until > now ? answer : undefined;
      } catch {
        return undefined;
      }
    },
    set: async (key, answer, now) => {
      const ms = Math.floor(answer.until - now);
      if (ms <= 0) return;
      const sealed = seal(keys, place(key), JSON.stringify(answer));
      if (Buffer.byteLength(sealed) > maxKeptBytes) return;
      await redis.set(name(key), sealed, "PX", ms).catch(() => undefined);
    },
  };
};
