import { Problem } from "@ikg/contracts";
import type { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";

/** Limits that are shared by all gateways of a Redis (api specification 1; README decision 48); off unless set. */
export interface RateLimits {
  /**
   * Counts a request of a credential.
   *
   * @throws Problem `too_many_requests` with `Retry-After` when it has used up its second.
   */
  use(kid: string): Promise<void>;
  /** Does the work unless the address has failed too often lately; counts when the work fails with 401. */
  attempt<T>(address: string, work: () => Promise<T>): Promise<T>;
}

interface Limiter {
  take(key: string): Promise<void>;
  /** @throws as `take` would, without counting */
  check(key: string): Promise<void>;
}

const open: Limiter = { take: () => Promise.resolve(), check: () => Promise.resolve() };

const refusal = (msBeforeNext: number): Problem =>
  new Problem("too_many_requests", {
    headers: { "Retry-After": String(Math.max(1, Math.ceil(msBeforeNext / 1000))) },
  });

/** @param points allowed in `seconds`; 0 is no limit */
const limiterOf = (redis: Redis, name: string, points: number, seconds: number): Limiter => {
  if (points === 0) return open;
  const options = { points, duration: seconds };
  const limiter = new RateLimiterRedis({
    ...options,
    storeClient: redis,
    keyPrefix: `ikg:rate:${name}`,
    // Without Redis each gateway counts for itself: a limit is no reason to answer nobody.
    insuranceLimiter: new RateLimiterMemory(options),
    // Who is over the limit is refused without asking Redis again.
    inMemoryBlockOnConsumed: points + 1,
  });
  return {
    take: async (key) => {
      try {
        await limiter.consume(key);
      } catch (error) {
        if (error instanceof RateLimiterRes) throw refusal(error.msBeforeNext);
        throw error;
      }
    },
    check: async (key) => {
      const state = await limiter.get(key);
      if (state !== null && state.consumedPoints >= points) throw refusal(state.msBeforeNext);
    },
  };
};

/**
 * @param settings `perSecond` requests of one credential; `failedPerMinute` refused credentials from one address.
 */
export const openRateLimits = (
  redis: Redis,
  settings: { readonly perSecond: number; readonly failedPerMinute: number },
): RateLimits => {
  const requests = limiterOf(redis, "requests", settings.perSecond, 1);
  const failures = limiterOf(redis, "failures", settings.failedPerMinute, 60);
  return {
    use: (kid) => requests.take(kid),
    attempt: async (address, work) => {
      await failures.check(address);
      try {
        return await work();
      } catch (error) {
        // The attempt that reaches the limit is still answered as what it is.
        if (error instanceof Problem && error.status === 401)
          await failures.take(address).catch(() => undefined);
        throw error;
      }
    },
  };
};
