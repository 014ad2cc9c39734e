/**
 * Runs `work` for every item in order, at most `limit` of them at one time.
 *
 * @returns the results in the order of the items; rejects with the first failure, after which the other items still run.
 */
export const mapInParallel = async <T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> => {
  const results: R[] = [];
  const entries = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of entries) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
};
