import { isObject, type JsonObject } from "../json.ts";
import { patternOf } from "../regex/pattern.ts";
import { compareText } from "../texts/order.ts";
import type { LeafOperator } from "./filter.ts";

/** Three-valued logic: true, false, unknown. A row or decision passes only on true. */
export type Truth = boolean | null;

export const and = (operands: readonly Truth[]): Truth =>
  operands.includes(false) ? false : operands.includes(null) ? null : true;

export const or = (operands: readonly Truth[]): Truth =>
  operands.includes(true) ? true : operands.includes(null) ? null : false;

export const not = (operand: Truth): Truth => (operand === null ? null : !operand);

const allEqual = (a: readonly unknown[], b: readonly unknown[]): Truth => {
  let truth: Truth = true;
  for (let i = 0; i < a.length; i++) {
    const each = equal(a[i] ?? null, b[i] ?? null);
    if (each === false) return false;
    if (each === null) truth = null;
  }
  return truth;
};

const mapsEqual = (a: JsonObject, b: JsonObject): Truth => {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length || !keys.every((key) => Object.hasOwn(b, key))) return false;
  return allEqual(
    keys.map((key) => a[key]),
    keys.map((key) => b[key]),
  );
};

const equal = (a: unknown, b: unknown): Truth => {
  if (a === null || b === null) return null;
  if (typeof a !== "object" || typeof b !== "object") return a === b;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && allEqual(a, b);
  return isObject(a) && isObject(b) && mapsEqual(a, b);
};

/** The sign of the difference; null for kinds that have no order between them. */
const order = (a: unknown, b: unknown): number | null => {
  if (typeof a === "number" && typeof b === "number") return a < b ? -1 : a > b ? 1 : 0;
  return typeof a === "string" && typeof b === "string" ? compareText(a, b) : null;
};

const membership = (element: unknown, list: readonly unknown[]): Truth => {
  let truth: Truth = false;
  for (const each of list) {
    const same = equal(element, each ?? null);
    if (same === true) return true;
    if (same === null) truth = null;
  }
  return truth;
};

/** The truth of `a operator b`; null stands for an absent value (policies specification 4.2, 4.4). */
export type Compare = (a: unknown, b: unknown) => Truth;

const ordered =
  (test: (difference: number) => boolean): Compare =>
  (a, b) => {
    const difference = order(a, b);
    return difference === null ? null : test(difference);
  };

const ofTexts =
  (test: (a: string, b: string) => Truth): Compare =>
  (a, b) =>
    typeof a === "string" && typeof b === "string" ? test(a, b) : null;

const contains = ofTexts((text, part) => text.includes(part));

const compares: Readonly<Record<LeafOperator, Compare>> = {
  "=": equal,
  "<>": (a, b) => not(equal(a, b)),
  ">": ordered((difference) => difference > 0),
  ">=": ordered((difference) => difference >= 0),
  "<": ordered((difference) => difference < 0),
  "<=": ordered((difference) => difference <= 0),
  CONTAINS: (a, b) => (Array.isArray(a) && b !== null ? membership(b, a) : contains(a, b)),
  "STARTS WITH": ofTexts((text, part) => text.startsWith(part)),
  "ENDS WITH": ofTexts((text, part) => text.endsWith(part)),
  "=~": ofTexts((text, pattern) => patternOf(pattern)?.fits(text) ?? null),
  IN: (a, b) => (a !== null && Array.isArray(b) ? membership(a, b) : null),
  "IS NULL": (a) => a === null,
  "IS NOT NULL": (a) => a !== null,
};

/** What an operator does with two values. */
export const compareOf = (operator: LeafOperator): Compare => compares[operator];
