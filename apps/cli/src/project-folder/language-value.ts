import { isObject } from "../is-object.ts";

/** Policies and queries in files: as the tree that their text says, where that loses nothing, else as the text itself. */

/** The text without the spaces that JSON ignores. */
const compact = (json: string): string => json.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");

/**
 * The tree of a text, or the text: a number such as `1.0`, a key that comes twice and a draft that is no JSON object would not
 * come back as they were.
 */
export const valueOfText = (text: unknown): unknown => {
  if (typeof text !== "string") return text;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && JSON.stringify(value) === compact(text) ? value : text;
  } catch {
    return text;
  }
};

/** What two texts are compared by: a text that its tree loses nothing of is the same as the tree. */
export const comparedText = (value: unknown): string =>
  typeof value === "string" ? JSON.stringify(valueOfText(value)) : JSON.stringify(value);
