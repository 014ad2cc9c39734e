/** Items of one request at most. */
const batchSize = 250;

export type Items<T> = Iterable<T> | AsyncIterable<T>;

/** A part of the items, and the index of its first one. */
export interface Batch<T> {
  readonly from: number;
  readonly items: readonly T[];
}

/** Items in parts of a request each. */
export async function* batchesOf<T>(items: Items<T>): AsyncGenerator<Batch<T>, void, undefined> {
  let from = 0;
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < batchSize) continue;
    yield { from, items: batch };
    from += batch.length;
    batch = [];
  }
  if (batch.length > 0) yield { from, items: batch };
}

/**
 * Runs work on parts, several at a time. After a failure no further part is begun, and the first failure is thrown when
 * the parts that were begun have ended.
 */
export const inParallel = async <T>(
  parts: AsyncGenerator<T, void, undefined>,
  atOnce: number,
  work: (part: T) => Promise<void>,
): Promise<void> => {
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    while (failures.length === 0) {
      try {
        const next = await parts.next();
        if (next.done === true) return;
        await work(next.value);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  await parts.return();
  if (failures.length > 0) throw failures[0];
};
