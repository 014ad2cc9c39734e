import type { Bucket } from "./buckets.ts";

/**
 * Does the work of all buckets, several at a time, and never two at once that share a partition: no two writers wait
 * for each other's nodes, so they cannot deadlock.
 *
 * @param writers buckets at once.
 * @throws the error of the first work that failed, after all other work has ended.
 */
export const inDisjointOrder = async (
  buckets: readonly Bucket[],
  writers: number,
  work: (bucket: Bucket) => Promise<void>,
): Promise<void> => {
  const waiting = [...buckets];
  const busy = new Set<number>();
  const running = new Set<Promise<void>>();
  const begin = (bucket: Bucket): void => {
    for (const partition of bucket.partitions) busy.add(partition);
    const run = work(bucket).finally(() => {
      for (const partition of bucket.partitions) busy.delete(partition);
      running.delete(run);
    });
    running.add(run);
  };
  try {
    while (waiting.length > 0 || running.size > 0) {
      while (running.size < writers) {
        const free = waiting.findIndex((bucket) => !bucket.partitions.some((each) => busy.has(each)));
        if (free < 0) break;
        for (const bucket of waiting.splice(free, 1)) begin(bucket);
      }
      await Promise.race(running);
    }
  } finally {
    await Promise.allSettled(running);
  }
};
