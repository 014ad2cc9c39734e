import { TokenBucket } from "@ikg/concurrency";
import { Problem } from "@ikg/contracts";
import { LRUCache } from "lru-cache";

/** Counts the requests of projects in each second. */
export interface ProjectRate {
  /** @throws Problem `too_many_requests` (429) when the project has reached its requests per second. */
  take(project: string, perSecond: number): void;
}

/** Projects that are counted at one time; one that is forgotten begins anew. */
const maxProjects = 10_000;

/** @param onRefused hears of each refusal, by the limit's name. */
export const openProjectRate = (
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
      if (bucket.waitMs(time) > 0) {
        onRefused("requests_per_second");
        throw new Problem("too_many_requests", {
          errors: [
            `requests_per_second: at most ${perSecond} requests of the project in a second (limit requests_per_second, ${perSecond})`,
          ],
          headers: { "Retry-After": "1" },
        });
      }
      bucket.take(1, time);
    },
  };
};
