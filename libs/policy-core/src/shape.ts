import type { Faults } from "./checked.ts";
import { isObject, type JsonObject } from "./json.ts";

/** Names of aliases, properties, metadata keys and parameters (policies specification 2). */
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
  if (!isObject(value)) {
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
