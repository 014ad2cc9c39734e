import type { Faults } from "./checked.ts";

/** A JSON object as it came out of the parser: keys are the author's and may be any text. */
export type JsonObject = { readonly [key: string]: unknown };

/** Longest `policy` or `query` text, in characters (policies specification 1). */
export const maxText = 512_000;
/** Deepest nesting of its objects and arrays. */
export const maxDepth = 32;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const depthOf = (value: unknown, limit: number): number => {
  if (typeof value !== "object" || value === null) return 0;
  if (limit === 0) return 1;
  let deepest = 0;
  for (const child of Object.values(value)) {
    const depth = depthOf(child, limit - 1);
    if (depth > deepest) deepest = depth;
  }
  return deepest + 1;
};

/** Reads the JSON object in `text`; a fault under `root` and undefined when it is none. Stage (a) of a check. */
export const readJson = (text: string, root: string, faults: Faults): JsonObject | undefined => {
  if (text.length > maxText) {
    faults.add(root, `at most ${maxText} characters`);
    return undefined;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    faults.add(root, "not valid JSON");
    return undefined;
  }
  if (!isObject(value)) {
    faults.add(root, "object expected");
    return undefined;
  }
  if (depthOf(value, maxDepth) > maxDepth) {
    faults.add(root, `nested deeper than ${maxDepth} levels`);
    return undefined;
  }
  return value;
};
