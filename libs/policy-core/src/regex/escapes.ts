import { characterEscapes, perlClasses } from "./classes.ts";
import { type CodePoints, complement } from "./code-points.ts";
import { type Cursor, readHex, RegexFault } from "./cursor.ts";

/** What an escape in or outside of brackets stands for. */
export type Escape =
  | { readonly kind: "character"; readonly code: number }
  /** `set` is what the letter in lower case names. */
  | { readonly kind: "class"; readonly set: CodePoints; readonly negated: boolean };

const refusal = (letter: string): string => {
  if (/[1-9]/.test(letter) || letter === "k") return "back-references are not accepted";
  if (letter === "0") return "octal escapes are not accepted; write \\x{…}";
  if (letter === "p" || letter === "P")
    return `\\${letter} is not accepted; write the characters or ranges in [ ]`;
  return `\\${letter} is not accepted`;
};

/** An escape, the backslash taken already. */
export const readEscape = (cursor: Cursor): Escape => {
  const letter = cursor.take();
  if (letter === "x") return { kind: "character", code: readHex(cursor) };
  const code = characterEscapes.get(letter);
  if (code !== undefined) return { kind: "character", code };
  const set = perlClasses.get(letter.toLowerCase());
  if (set !== undefined) return { kind: "class", set, negated: letter !== letter.toLowerCase() };
  if (/^[!-~]$/.test(letter) && !/[A-Za-z0-9]/.test(letter)) {
    return { kind: "character", code: letter.charCodeAt(0) };
  }
  throw new RegexFault(refusal(letter));
};

/** The points of a class escape; with `fold` both cases, before it is negated. */
export const classPoints = (
  { set, negated }: Extract<Escape, { kind: "class" }>,
  fold: (set: CodePoints) => CodePoints,
): CodePoints => (negated ? complement(fold(set)) : fold(set));
