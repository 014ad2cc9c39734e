import { type Amount, fixed, sum, times } from "./amount.ts";

/** Heap bytes of a text of so many UTF-16 units. */
export const textBytes = (characters: Amount): Amount =>
  characters.most === 0 ? characters : sum(times(characters, 2), fixed(64));

/** Heap bytes of a list itself, without what its entries hold. */
export const listBytes = (entries: Amount): Amount => sum(times(entries, 24), fixed(64));

/** Heap bytes of a whole value: two for each character, and an object for each value. */
export const valueBytes = (weight: Amount): Amount =>
  weight.most <= 1 ? fixed(0) : sum(times(weight, 2), fixed(64));
