import type { LeafOperator } from "./filter.ts";

/** Three-valued logic: true, false, unknown. A row or decision passes only on true. */
export type Truth = boolean | null;

export const and = (operands: readonly Truth[]): Truth =>
  operands.includes(false) ? false : operands.includes(null) ? null : true;

export const or = (operands: readonly Truth[]): Truth =>
  operands.includes(true) ? true : operands.includes(null) ? null : false;

export const not = (operand: Truth): Truth => (operand === null ? null : !operand);

/** Order of two texts by code point, as the database orders them. */
export const compareText = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    let x = a.charCodeAt(i);
    let y = b.charCodeAt(i);
    if (x === y) continue;
    // Surrogates stand for code points above every other unit.
    if (x >= 0xd800 && x <= 0xdfff) x += 0x10000;
    if (y >= 0xd800 && y <= 0xdfff) y += 0x10000;
    return x - y;
  }
  return a.length - b.length;
};

const equal = (a: unknown, b: unknown): Truth => {
  if (a === null || b === null) return null;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && and(a.map((each, index) => equal(each ?? null, b[index] ?? null)));
  }
  return typeof a === "object" || typeof b === "object" ? JSON.stringify(a) === JSON.stringify(b) : a === b;
};

const order = (a: unknown, b: unknown): number | null => {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return typeof a === "string" && typeof b === "string" ? compareText(a, b) : null;
};

const texts = (a: unknown, b: unknown, test: (a: string, b: string) => boolean): Truth =>
  typeof a === "string" && typeof b === "string" ? test(a, b) : null;

const membership = (element: unknown, list: unknown): Truth =>
  Array.isArray(list) ? or(list.map((each) => equal(element, each ?? null))) : null;

/** The truth of `a operator b`; null stands for an absent value (policies specification 4.2, 4.4). */
export const compare = (operator: LeafOperator, a: unknown, b: unknown): Truth => {
  if (operator === "IS NULL") return a === null;
  if (operator === "IS NOT NULL") return a !== null;
  if (a === null || b === null) return null;
  const ordered = (test: (difference: number) => boolean): Truth => {
    const difference = order(a, b);
    return difference === null ? null : test(difference);
  };
  switch (operator) {
    case "=":
      return equal(a, b);
    case "<>":
      return not(equal(a, b));
    case ">":
      return ordered((difference) => difference > 0);
    case ">=":
      return ordered((difference) => difference >= 0);
    case "<":
      return ordered((difference) => difference < 0);
    case "<=":
      return ordered((difference) => difference <= 0);
    case "CONTAINS":
      return Array.isArray(a) ? membership(b, a) : texts(a, b, (text, part) => text.includes(part));
    case "STARTS WITH":
      return texts(a, b, (text, part) => text.startsWith(part));
    case "ENDS WITH":
      return texts(a, b, (text, part) => text.endsWith(part));
    case "IN":
      return membership(a, b);
  }
};
