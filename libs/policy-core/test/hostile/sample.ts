import { textDigest } from "./text-digest.ts";

/** By hashes: an order that does not depend on when something was drawn. */
const shuffle = <T>(items: readonly T[], textOf: (item: T) => string): readonly T[] =>
  items
    .map((item) => [textDigest(textOf(item)), item] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, item]) => item);

/**
 * Items of several kinds in an order in which the first ones stand for all, however many are taken: of
 * each kind in turn, and within a kind from anywhere.
 *
 * @param textOf tells the items of a kind apart
 */
export const sample = <T>(kinds: readonly (readonly T[])[], textOf: (item: T) => string): readonly T[] => {
  const lists = kinds.map((items) => shuffle(items, textOf));
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => at).flatMap((at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  );
};
