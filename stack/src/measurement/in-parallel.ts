/**
 * Runs `work` on every item, at most `atOnce` concurrently, and returns the results in the order of the items. Rejects with
 * the first failure. Separate from `mapInParallel` of `@ikg/concurrency`, because stack may not import that library.
 */
export const inParallel = async <T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  atOnce = 6,
): Promise<R[]> => {
  const results: R[] = [];
  const rest = items.entries();
  const worker = async (): Promise<void> => {
    for (const [at, item] of rest) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
};
