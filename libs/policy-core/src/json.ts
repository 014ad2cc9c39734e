import { isJsonObject } from "@ikg/contracts/values";
import { repeatedMembers } from "./repeated-members.ts";

/** A JSON object as it came out of the parser: keys are the author's and may be any text. */
export type JsonObject = { readonly [key: string]: unknown };

/** Limit of a `policy` or `query` text, in characters. */
export const maxText = 512_000;
/** Limit of its nested objects and arrays. */
export const maxJsonDepth = 32;

/** Each value once, by its JSON, in order of first appearance. */
export const distinctByJson = <T>(values: readonly T[]): readonly T[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];

/** Reads the JSON object in `text`; adds a fault under `root` and returns undefined when it is not one. Stage (a) of a check. */
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
  if (!isJsonObject(value)) {
    faults.add(root, "object expected");
    return undefined;
  }
  const repeated = repeatedMembers(text, maxJsonDepth);
  if (repeated === undefined) {
    faults.add(root, `nested deeper than ${maxJsonDepth} levels`);
    return undefined;
  }
  for (const place of repeated) faults.add(`${root}${place}`, "given more than once");
  return repeated.length === 0 ? value : undefined;
};

/** The outcome of a check: the checked value, or every fault found, each beginning with the place in the text. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly string[] };

/** Collects the faults of one stage, so that an author sees them all at once. */
export class Faults {
  readonly list: string[] = [];

  add(path: string, reason: string): void {
    this.list.push(`${path}: ${reason}`);
  }

  get none(): boolean {
    return this.list.length === 0;
  }

  /** Failure with what was collected; only called when something was. */
  failure(): { readonly ok: false; readonly faults: readonly string[] } {
    return { ok: false, faults: this.list };
  }
}

export const success = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });

/** Names of aliases, properties, metadata keys and parameters. */
export const namePattern = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
/** Node types and labels. */
export const typePattern = /^[A-Za-z_][A-Za-z0-9_]{1,63}$/;
/** Relationship types as capture accepts them. */
export const relationshipTypePattern = /^[A-Z][A-Z0-9_]{0,127}$/;

/** Own member of a JSON object; `__proto__` and other inherited names are nothing special here. */
export const member = (object: JsonObject, key: string): unknown =>
  Object.hasOwn(object, key) ? (object[key] ?? undefined) : undefined;

/** The object at `path`; unknown keys are faults, so that a misspelt rule is never silently no rule. */
export const readObject = (
  value: unknown,
  path: string,
  keys: readonly string[],
  faults: Faults,
): JsonObject | undefined => {
  if (value === undefined) {
    faults.add(path, "required");
    return undefined;
  }
  if (!isJsonObject(value)) {
    faults.add(path, "object expected");
    return undefined;
  }
  for (const key of Object.keys(value)) {
    if (!keys.includes(key)) faults.add(`${path}.${key.slice(0, 64)}`, "unknown key");
  }
  return value;
};

export const readString = (value: unknown, path: string, faults: Faults): string | undefined => {
  if (typeof value === "string") return value;
  faults.add(path, value === undefined ? "required" : "string expected");
  return undefined;
};

/** A string of a given form; `reason` says the form. */
export const readName = (
  value: unknown,
  path: string,
  pattern: RegExp,
  reason: string,
  faults: Faults,
): string | undefined => {
  const text = readString(value, path, faults);
  if (text === undefined || pattern.test(text)) return text;
  faults.add(path, reason);
  return undefined;
};

/** The array at `path`; absent is empty. */
export const readArray = (value: unknown, path: string, faults: Faults): readonly unknown[] => {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value as readonly unknown[];
  faults.add(path, "array expected");
  return [];
};

/** An array of strings; absent is empty. */
export const readStrings = (value: unknown, path: string, faults: Faults): readonly string[] => {
  const strings: string[] = [];
  readArray(value, path, faults).forEach((entry, index) => {
    const text = readString(entry, `${path}[${index}]`, faults);
    if (text !== undefined) strings.push(text);
  });
  return strings;
};
