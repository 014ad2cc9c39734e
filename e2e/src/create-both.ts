/** What a test creates and removes at its end. */
interface Removable {
  remove(): Promise<void>;
}

/**
 * Waits for two things that are created at the same time. If one fails, removes the other.
 *
 * @throws the reason of the one that failed; that of the first where both did
 */
export const createBoth = async <A extends Removable, B extends Removable>(
  first: Promise<A>,
  second: Promise<B>,
): Promise<[A, B]> => {
  const both: readonly Promise<Removable>[] = [first, second];
  const ends = await Promise.allSettled(both);
  try {
    return [await first, await second];
  } catch (error) {
    // A removal that fails as well would hide the reason.
    await Promise.allSettled(ends.flatMap((end) => (end.status === "fulfilled" ? [end.value.remove()] : [])));
    throw error;
  }
};
