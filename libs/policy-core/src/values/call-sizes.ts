import { isJsonObject } from "@ikg/contracts/values";

/** How large a value of the request may be: a parameter, a claim, a value under `$request`. */
export interface CallSizes {
  /** Of each text, in UTF-16 units. */
  readonly characters: number;
  /** Of each list or map. */
  readonly entries: number;
  /** Of a list or map in another. */
  readonly nested: number;
  /** Values and characters in all. */
  readonly weight: number;
}

/** The limits of values, as a refusal states them. */
export const sizesText = ({ characters, entries, weight }: CallSizes): string =>
  `(at most ${entries} entries, ${characters} characters each, ${weight} in all)`;

/** True for a value of the request that is no larger than this. Costs no more than `sizes.entries` entries. */
export const isWithin = (value: unknown, sizes: CallSizes): boolean => {
  if (typeof value === "string") return value.length <= sizes.characters;
  if (typeof value !== "object" || value === null) return true;
  const entries: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  if (entries.length > sizes.entries) return false;
  const keys = isJsonObject(value) ? Object.keys(value).reduce((all, key) => all + key.length, 0) : 0;
  let weight = entries.length + keys;
  for (const entry of entries) {
    if (typeof entry === "object" && entry !== null) {
      // An empty list weighs nothing; any other is one in another.
      if (Object.keys(entry).length > sizes.nested) return false;
    } else if (typeof entry === "string") {
      if (entry.length > sizes.characters) return false;
      weight += entry.length;
    }
    if (weight > sizes.weight) return false;
  }
  return weight <= sizes.weight;
};
