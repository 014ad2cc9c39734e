import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { Redis } from "ioredis";
import type { JWTPayload } from "jose";

/** What an issuer said of a token, good until `until` (milliseconds). */
export interface KeptAnswer {
  readonly payload: JWTPayload;
  readonly until: number;
}

/** Good answers of issuers, shared by the services (runtime specification 2.5 and 6.7). */
export interface KeptAnswers {
  get(key: string, now: number): Promise<KeptAnswer | undefined>;
  set(key: string, answer: KeptAnswer, now: number): Promise<void>;
}

const cipher = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Keeps answers in Redis, sealed: they hold personal data, and whoever could write them could make anyone of anybody.
 * The key is part of what is sealed, so that an answer cannot be moved to another token. Without Redis nothing is
 * kept, and the issuer is asked again.
 */
export const keptAnswers = (redis: Redis, secret: Uint8Array): KeptAnswers => {
  const sealingKey = Buffer.from(hkdfSync("sha256", secret, "", "kept answers of issuers", 32));
  const place = (key: string): string => `bearer:${key}`;

  const seal = (key: string, answer: KeptAnswer): Buffer => {
    const nonce = randomBytes(nonceBytes);
    const sealing = createCipheriv(cipher, sealingKey, nonce).setAAD(Buffer.from(key));
    const text = Buffer.concat([sealing.update(JSON.stringify(answer)), sealing.final()]);
    return Buffer.concat([nonce, sealing.getAuthTag(), text]);
  };

  const open = (key: string, sealed: Buffer): KeptAnswer => {
    const opening = createDecipheriv(cipher, sealingKey, sealed.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    })
      .setAAD(Buffer.from(key))
      .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
    const text = Buffer.concat([opening.update(sealed.subarray(nonceBytes + tagBytes)), opening.final()]);
    return JSON.parse(text.toString("utf8")) as KeptAnswer; // sealed by us alone
  };

  return {
    get: async (key, now) => {
      try {
        const sealed = await redis.getBuffer(place(key));
        const answer = sealed === null ? undefined : open(key, sealed);
        return answer !== undefined && answer.until > now ? answer : undefined;
      } catch {
        return undefined;
      }
    },
    set: async (key, answer, now) => {
      const ms = Math.floor(answer.until - now);
      if (ms > 0) await redis.set(place(key), seal(key, answer), "PX", ms).catch(() => undefined);
    },
  };
};
