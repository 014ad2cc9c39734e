import { LexicalFault } from "./lexical-fault.ts";
import { isDigit, isHexDigit, isNamePart, isOctalDigit } from "./characters.ts";
import type { FloatToken, IntegerToken } from "./token.ts";

const largest = 2n ** 63n - 1n;
const underscore = 95;

/**
 * Reads a number that begins at `at` with a digit, or with a dot before a digit (database facts, section 2.6):
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

const longestShown = 40;

const malformed = (text: string, at: number, from: number): LexicalFault => {
  let end = from;
  while (isNamePart(text.charCodeAt(end)) && end - at < longestShown) end += 1;
  return new LexicalFault(`unexpected "${text.slice(at, end)}"`, at);
};
