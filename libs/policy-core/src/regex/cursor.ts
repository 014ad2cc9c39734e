import { lastCodePoint } from "./code-points.ts";

/** Why a text is no regular expression that is accepted here. */
export class RegexFault extends Error {}

/** Longest pattern, in characters. */
export const maxPattern = 256;

/** Reads a pattern character by character; a character is a code point. */
export class Cursor {
  readonly #characters: readonly string[];
  #at = 0;

  constructor(pattern: string) {
    this.#characters = Array.from(pattern);
  }

  get done(): boolean {
    return this.#at >= this.#characters.length;
  }

  /** The text from here, at most so many characters. */
  ahead(length: number): string {
    return this.#characters.slice(this.#at, this.#at + length).join("");
  }

  take(): string {
    const character = this.#characters[this.#at];
    if (character === undefined) throw new RegexFault("the pattern ends too early");
    this.#at++;
    return character;
  }

  /** Takes `text` when it is next. */
  skip(text: string): boolean {
    const length = Array.from(text).length;
    if (this.ahead(length) !== text) return false;
    this.#at += length;
    return true;
  }

  /** Takes what the expression finds at once here; it must begin with `^`. */
  match(expression: RegExp): RegExpExecArray | undefined {
    const found = expression.exec(this.ahead(maxPattern));
    if (found === null) return undefined;
    this.#at += Array.from(found[0]).length;
    return found;
  }
}

/** `\xHH` or `\x{H…}`, the `\x` taken already. */
export const readHex = (cursor: Cursor): number => {
  const found = cursor.match(/^(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,8})\})/);
  const code = Number.parseInt(found?.[1] ?? found?.[2] ?? "", 16);
  if (Number.isNaN(code) || code > lastCodePoint || (code >= 0xd800 && code <= 0xdfff)) {
    throw new RegexFault("\\x takes two hexadecimal digits, or {…} with the number of a character");
  }
  return code;
};
