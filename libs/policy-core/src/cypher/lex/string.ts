import { LexicalFault } from "./lexical-fault.ts";
import { isHexDigit } from "./characters.ts";

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
 * Reads a string literal whose quote stands at `at` (database facts, section 2.2).
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
      const meant = escapes.get(name);
      if (meant === undefined) throw new LexicalFault(`unknown escape "\\${name}" in a string`, index);
      value += meant;
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
    throw new LexicalFault(`escape "\\U${digits}" is no character`, at);
  }
  return String.fromCodePoint(code);
};
