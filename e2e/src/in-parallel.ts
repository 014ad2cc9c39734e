/** Runs `work` on every item, a few at a time, and returns the results in order. The first failure ends it. */
export const inParallel = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at];
      // Within bounds: `at` is less than the length.
      results[at] = await work(item as T);
    }
  };
  await Promise.all(Array.from({ length: 6 }, worker));
  return results;
};
