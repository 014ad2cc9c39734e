import { type Amount, constant, maxOf, one, sum, proportional, zero } from "./amount.ts";

/** Bounds of a value, for each of the forms that it may have. */
export interface Size {
  /** Of a text, in UTF-16 units; 0 for other values. */
  readonly characters: Amount;
  /** Of a list or map; 0 for other values. */
  readonly entries: Amount;
  /** One for each value and one for each character of a text, in the whole value. */
  readonly weight: Amount;
  /** Bounds every entry; absent where there are none. */
  readonly entry?: Size;
}

/** A number, a truth, an instant, a node, a relationship or null. */
export const scalar: Size = { characters: zero, entries: zero, weight: one };

/** A text of up to `characters` UTF-16 units. */
export const textOf = (characters: Amount): Size => ({
  characters,
  entries: zero,
  weight: sum(characters, one),
});

/** @param weight of all entries together */
export const listOf = (entries: Amount, entry: Size, weight: Amount): Size => ({
  characters: zero,
  entries,
  weight: sum(weight, one),
  entry,
});

/** The bounds of a value that has one of several sizes. */
export const largestOf = (sizes: readonly Size[]): Size => {
  const [first = scalar, ...rest] = sizes;
  return rest.reduce(largerOf, first);
};

const largerOf = (left: Size, right: Size): Size => {
  if (left === right || right === scalar) return left;
  if (left === scalar) return right;
  const entry = entryOfBoth(left.entry, right.entry);
  return {
    characters: maxOf(left.characters, right.characters),
    entries: maxOf(left.entries, right.entries),
    weight: maxOf(left.weight, right.weight),
    ...(entry === undefined ? {} : { entry }),
  };
};

/** Bounds the entries of either of two lists. */
export const entryOfBoth = (left: Size | undefined, right: Size | undefined): Size | undefined =>
  left === undefined ? right : right === undefined ? left : largerOf(left, right);

/** The bounds of an entry of a list, as they hold outside a loop over it. */
export const entryOf = ({ entry = scalar, weight }: Size): Size =>
  // An entry is no heavier than the whole; of a value of the request each entry is bounded like the value itself.
  entry.weight.most <= weight.most ? entry : { ...entry, weight };

/** An entry as the element of a loop over the list: its weight is a share of the list's. */
export const elementOf = (list: Size): Size => {
  const entry = entryOf(list);
  if (entry.characters.most === 0 && entry.entries.most === 0) return entry;
  return {
    characters: entry.characters.most === 0 ? zero : proportional(entry.characters.most),
    entries: entry.entries.most === 0 ? zero : proportional(entry.entries.most),
    weight: proportional(entry.weight.most),
    ...(entry.entry === undefined ? {} : { entry: entry.entry }),
  };
};

/** The same value where another loop is the innermost one. */
export const withoutLoop = (size: Size): Size =>
  size.characters.share === 0 && size.entries.share === 0 && size.weight.share === 0
    ? size
    : {
        characters: constant(size.characters.most),
        entries: constant(size.entries.most),
        weight: constant(size.weight.most),
        ...(size.entry === undefined ? {} : { entry: size.entry }),
      };
