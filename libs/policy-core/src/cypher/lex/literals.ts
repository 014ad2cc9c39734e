import type { FloatToken, IntegerToken } from "./token.ts";

/** Ends the reading of a text inside this folder; `parse` turns it into a fault and lets none through. */
export class LexicalFault extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** Classes of UTF-16 units, for the lexer. Outside strings and back-quotes the language is ASCII only. */

export const isDigit = (code: number): boolean => code >= 48 && code <= 57;

const isHexDigit = (code: number): boolean =>
  isDigit(code) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70);

const isOctalDigit = (code: number): boolean => code >= 48 && code <= 55;

export const isNameStart = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;

export const isNamePart = (code: number): boolean => isNameStart(code) || isDigit(code);

/** Blank, tab, line feed, vertical tab, form feed, carriage return. */
export const isBlank = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

const largest = 2n ** 63n - 1n;
const underscore = 95;

/**
 * Reads a number that begins at `at` with a digit, or with a dot before a digit:
 * decimal, `0x`, `0o`, single underscores between digits, fraction, exponent. No leading zeros.
 *
 * @throws LexicalFault for a form that does not exist and a value that the database cannot hold
 */
export const lexNumber = (text: string, at: number): IntegerToken | FloatToken => {
  const radix = text[at] === "0" ? text[at + 1] : undefined;
  if (radix === "x") return integer(text, at, digitsEnd(text, at + 2, isHexDigit));
  if (radix === "o") return integer(text, at, digitsEnd(text, at + 2, isOctalDigit));

  let end = text[at] === "." ? at : digitsEnd(text, at, isDigit);
  if (end - at > 1 && text[at] === "0") throw new LexicalFault("a number has no leading zeros", at);
  let whole = true;
  if (text[end] === "." && isDigit(text.charCodeAt(end + 1))) {
    end = digitsEnd(text, end + 1, isDigit);
    whole = false;
  }
  if (text[end] === "e" || text[end] === "E") {
    const digits = text[end + 1] === "-" || text[end + 1] === "+" ? end + 2 : end + 1;
    if (!isDigit(text.charCodeAt(digits))) throw malformed(text, at, end + 1);
    end = digitsEnd(text, digits, isDigit);
    whole = false;
  }
  return whole ? integer(text, at, end) : float(text, at, end);
};

/** Offset after the digits that begin at `at`; a single underscore may stand between two of them. */
const digitsEnd = (text: string, at: number, isOne: (code: number) => boolean): number => {
  let end = at;
  for (;;) {
    const code = text.charCodeAt(end);
    if (isOne(code)) end += 1;
    else if (code === underscore && end > at && isOne(text.charCodeAt(end + 1))) end += 2;
    else return end;
  }
};

const integer = (text: string, at: number, end: number): IntegerToken => {
  if (
    isNamePart(text.charCodeAt(end)) ||
    (end === at + 2 && isNamePart(text.charCodeAt(at + 1)) && text[at] === "0")
  ) {
    throw malformed(text, at, end);
  }
  const value = BigInt(text.slice(at, end).replaceAll("_", ""));
  if (value > largest) throw new LexicalFault("integer is too large", at);
  return { kind: "integer", value, at, end };
};

const float = (text: string, at: number, end: number): FloatToken => {
  if (isNamePart(text.charCodeAt(end))) throw malformed(text, at, end);
  const value = Number(text.slice(at, end).replaceAll("_", ""));
  if (!Number.isFinite(value)) throw new LexicalFault("number is too large", at);
  return { kind: "float", value, at, end };
};

const maxShown = 40;

const malformed = (text: string, at: number, from: number): LexicalFault => {
  let end = from;
  while (isNamePart(text.charCodeAt(end)) && end - at < maxShown) end += 1;
  return new LexicalFault(`unexpected "${text.slice(at, end)}"`, at);
};

const escapes = new Map([
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

const longEscapeDigits = 8;

/**
 * Reads a string literal whose quote is at `at`.
 * The short form of Unicode escapes never arrives here: the lexer refuses it in the whole text.
 *
 * @throws LexicalFault for a string that is not closed and for an escape that does not exist
 */
export const lexString = (text: string, at: number): { readonly value: string; readonly end: number } => {
  const quote = text[at];
  let value = "";
  let copied = at + 1;
  for (let index = at + 1; index < text.length; index += 1) {
    const character = text[index];
    if (character === quote)
      return { value: printable(value + text.slice(copied, index), at), end: index + 1 };
    if (character !== "\\") continue;
    value += text.slice(copied, index);
    const name = text[index + 1] ?? "";
    if (name === "U") {
      value += longEscape(text, index);
      index += 1 + longEscapeDigits;
    } else {
      const unescaped = escapes.get(name);
      if (unescaped === undefined) throw new LexicalFault(`unknown escape "\\${name}" in a string`, index);
      value += unescaped;
      index += 1;
    }
    copied = index + 1;
  }
  throw new LexicalFault("string is not closed", at);
};

/** No string may hold what the refused escape looks like: it could not be printed for the database again. */
const printable = (value: string, at: number): string => {
  if (value.includes("\\u")) throw new LexicalFault('escape "\\u" is not allowed', at);
  return value;
};

const longEscape = (text: string, at: number): string => {
  const digits = text.slice(at + 2, at + 2 + longEscapeDigits);
  for (let index = 0; index < longEscapeDigits; index += 1) {
    if (!isHexDigit(digits.charCodeAt(index)))
      throw new LexicalFault('escape "\\U" needs eight hexadecimal digits', at);
  }
  const code = Number.parseInt(digits, 16);
  if (code > 0x10_ff_ff || (code >= 0xd8_00 && code <= 0xdf_ff)) {
    throw new LexicalFault(`escape "\\U${digits}" is not a character`, at);
  }
  return String.fromCodePoint(code);
};
