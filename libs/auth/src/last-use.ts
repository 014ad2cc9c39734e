import type { Redis } from "ioredis";
import { LRUCache } from "lru-cache";

const keyOf = (kid: string): string => `ikg:last-use:${kid}`;
const keptSeconds = 400 * 86_400;
const maxKnown = 10_000;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Notes that a credential was used today: once a day for each process. Without Redis nothing is noted. */
export const openLastUse = (redis: Redis, now: () => number = Date.now): ((kid: string) => void) => {
  const noted = new LRUCache<string, string>({ max: maxKnown });
  return (kid) => {
    const day = dayOf(now());
    if (noted.get(kid) === day) return;
    noted.set(kid, day);
    redis.set(keyOf(kid), day, "EX", keptSeconds).catch(() => noted.delete(kid));
  };
};

/** Days of the last use of credentials, as far as they are known. */
export const readLastUse = async (
  redis: Redis,
  kids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (kids.length === 0) return new Map();
  const days = await redis.mget(kids.map(keyOf)).catch(() => []);
  return new Map(
    kids.flatMap((kid, index) => {
      const day = days[index];
      return typeof day === "string" ? [[kid, day] as const] : [];
    }),
  );
};
