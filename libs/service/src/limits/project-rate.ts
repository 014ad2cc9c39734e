import { type SharedRate, TokenBucket } from "@ikg/concurrency";
import { Problem } from "@ikg/contracts";
import { LRUCache } from "lru-cache";

/** Counts the requests of projects in each second, over all processes. */
export interface ProjectRate {
  /**
   * @throws Problem `too_many_requests` (429) when the project has reached its requests per second; its `Retry-After` is the
   *   wait for the next one, in whole seconds.
   */
  take(project: string, perSecond: number): void;
}

/** Projects that are counted at one time; one that is forgotten starts at zero, until the next exchange. */
const maxProjects = 10_000;

/**
 * @param shared where the processes exchange what they have counted.
 * @param onRefused called for each refusal, with the limit's name.
 */
export const openProjectRate = (
  shared: SharedRate,
  onRefused: (limit: string) => void = () => undefined,
  now: () => number = () => performance.now(),
): ProjectRate => {
  const buckets = new LRUCache<string, TokenBucket>({ max: maxProjects });
  return {
    take: (project, perSecond) => {
      const time = now();
      let bucket = buckets.get(project);
      if (bucket === undefined) buckets.set(project, (bucket = new TokenBucket(perSecond, time)));
      bucket.setRate(perSecond, time);
      const waitMs = bucket.waitMs(time);
      if (waitMs > 0) {
        shared.report(project, bucket, 0);
        onRefused("requests_per_second");
        throw new Problem("too_many_requests", {
          errors: [
            `requests_per_second: at most ${perSecond} requests of the project in a second (limit requests_per_second, ${perSecond})`,
          ],
          headers: { "Retry-After": String(Math.ceil(waitMs / 1_000)) },
        });
      }
      bucket.take(1, time);
      shared.report(project, bucket, bucket.refillMs(1));
    },
  };
};
