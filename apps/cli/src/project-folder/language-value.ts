import { isJsonObject } from "@ikg/contracts/values";

/** Policies and queries in files: objects if the conversion is lossless, otherwise texts. */

/** The text without insignificant JSON white space. */
const compact = (json: string): string => json.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");

/**
 * Parses a text to an object if that is lossless. Numbers such as `1.0`, duplicate keys and drafts that are not JSON objects are
 * kept as text.
 */
export const valueOfText = (text: unknown): unknown => {
  if (typeof text !== "string") return text;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && JSON.stringify(value) === compact(text) ? value : text;
  } catch {
    return text;
  }
};

/** A normalized text for comparisons: equal for a text and its lossless object. */
export const comparedText = (value: unknown): string =>
  typeof value === "string" ? JSON.stringify(valueOfText(value)) : JSON.stringify(value);
