import { type Amount, constant, sum, times } from "./amount.ts";

/** Heap bytes of a text of `characters` UTF-16 units. */
export const textBytes = (characters: Amount): Amount =>
  characters.most === 0 ? characters : sum(times(characters, 2), constant(64));

/** Heap bytes of a list itself, without what its entries hold. */
export const listBytes = (entries: Amount): Amount => sum(times(entries, 24), constant(64));

/** Heap bytes of a whole value: two for each character, and an object for each value. */
export const valueBytes = (weight: Amount): Amount =>
  weight.most <= 1 ? constant(0) : sum(times(weight, 2), constant(64));
