import { codePoints, type CodePoints, complement, pointsOf, union } from "./code-points.ts";

const range = (from: string, to: string): CodePoints =>
  codePoints([[from.codePointAt(0) ?? 0, to.codePointAt(0) ?? 0]]);

const digit = range("0", "9");
const lower = range("a", "z");
const upper = range("A", "Z");
const word = union(digit, lower, upper, pointsOf("_"));

/** `\d`, `\s`, `\w` as RE2 means them: ASCII, and `\s` without the vertical tab. */
export const perlClasses: ReadonlyMap<string, CodePoints> = new Map([
  ["d", digit],
  ["s", pointsOf("\t\n\f\r ")],
  ["w", word],
]);

/** `[:name:]`. */
export const posixClasses: ReadonlyMap<string, CodePoints> = new Map([
  ["alnum", union(digit, lower, upper)],
  ["alpha", union(lower, upper)],
  ["ascii", codePoints([[0, 0x7f]])],
  ["blank", pointsOf("\t ")],
  [
    "cntrl",
    codePoints([
      [0, 0x1f],
      [0x7f, 0x7f],
    ]),
  ],
  ["digit", digit],
  ["graph", range("!", "~")],
  ["lower", lower],
  ["print", range(" ", "~")],
  ["punct", union(range("!", "/"), range(":", "@"), range("[", "`"), range("{", "~"))],
  ["space", pointsOf("\t\n\v\f\r ")],
  ["upper", upper],
  ["word", word],
  ["xdigit", union(digit, range("A", "F"), range("a", "f"))],
]);

/** Escapes that stand for one character. */
export const characterEscapes: ReadonlyMap<string, number> = new Map([
  ["a", 7],
  ["f", 12],
  ["t", 9],
  ["n", 10],
  ["r", 13],
  ["v", 11],
]);

export const anyButNewline = complement(pointsOf("\n"));
