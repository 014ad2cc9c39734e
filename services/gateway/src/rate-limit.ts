import { Problem } from "@ikg/contracts";
import { clientNetwork } from "@ikg/service";
import type { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { tooManyRequests } from "./too-many-requests.ts";

/** Limits that are shared by all gateways of a Redis. */
export interface RateLimits {
  /**
   * Counts a request of a credential.
   *
   * @throws Problem `too_many_requests` with `Retry-After` when it has used up its second.
   */
  use(kid: string): Promise<void>;
  /**
   * Does the work and counts it for the address when it fails with 401. A valid credential is never refused because of
   * others behind its address.
   *
   * @throws Problem what the work throws; `too_many_requests` instead of a 401 when the address has failed too often.
   */
  attempt<T>(address: string, work: () => Promise<T>): Promise<T>;
}

/** @throws Problem `too_many_requests` when the key has used up its points. */
type Take = (key: string) => Promise<void>;

const unlimited: Take = () => Promise.resolve();

/**
 * @param points allowed in `seconds`; 0 is no limit.
 * @param detail of the error of a caller that exceeds it.
 */
const limiterOf = (redis: Redis, name: string, points: number, seconds: number, detail: string): Take => {
  if (points === 0) return unlimited;
  const options = { points, duration: seconds };
  const limiter = new RateLimiterRedis({
    ...options,
    storeClient: redis,
    keyPrefix: `ikg:rate:${name}`,
    // Without Redis each gateway counts for itself: a limit must not cause an outage.
    insuranceLimiter: new RateLimiterMemory(options),
    // A caller over the limit is refused without another call to Redis.
    inMemoryBlockOnConsumed: points + 1,
  });
  return async (key) => {
    try {
      await limiter.consume(key);
    } catch (error) {
      if (error instanceof RateLimiterRes)
        throw tooManyRequests(detail, Math.max(1, Math.ceil(error.msBeforeNext / 1000)));
      throw error;
    }
  };
};

/**
 * @param settings `perSecond` requests of one credential; `failedPerMinute` refused credentials from one address.
 * @param onRefused called for each refusal, with the limit's name.
 */
export const openRateLimits = (
  redis: Redis,
  settings: { readonly perSecond: number; readonly failedPerMinute: number },
  onRefused: (limit: string) => void = () => undefined,
): RateLimits => {
  const { perSecond, failedPerMinute } = settings;
  const takeRequest = limiterOf(
    redis,
    "requests",
    perSecond,
    1,
    `requests of a credential: at most ${perSecond} a second (RATE_LIMIT_PER_SECOND)`,
  );
  const takeFailure = limiterOf(
    redis,
    "failures",
    failedPerMinute,
    60,
    `refused credentials of an address: at most ${failedPerMinute} a minute (RATE_LIMIT_FAILED_PER_MINUTE)`,
  );
  const takeAndReport = async (take: Take, key: string, limit: string): Promise<void> => {
    try {
      await take(key);
    } catch (error) {
      if (error instanceof Problem) onRefused(limit);
      throw error;
    }
  };
  return {
    use: (kid) => takeAndReport(takeRequest, kid, "requests of a credential"),
    attempt: async (address, work) => {
      try {
        return await work();
      } catch (error) {
        if (error instanceof Problem && error.status === 401)
          await takeAndReport(takeFailure, clientNetwork(address), "refused credentials of an address").catch(
            (refusal: unknown) => {
              // A counter that fails refuses no additional callers.
              throw refusal instanceof Problem ? refusal : error;
            },
          );
        throw error;
      }
    },
  };
};
