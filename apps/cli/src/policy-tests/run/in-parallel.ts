/** Processes all items in order, at most `limit` concurrently. Programs of `apps/` may not import `@ikg/concurrency`. */
export const inParallel = async <T>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> => {
  const rest = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of rest) await work(item, index);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
};
