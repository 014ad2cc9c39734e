import { isJsonObject } from "@ikg/contracts/values";
import { parseDocument } from "yaml";

/** A syntax error in a short form; `offset` counts from 0. */
export class ShortFormError extends Error {
  override readonly name = "ShortFormError";
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/** Scans a short form. */
export class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#skip();
  }

  get offset(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Consumes a text if it is next. */
  take(expected: string): boolean {
    if (!this.#text.startsWith(expected, this.#at)) return false;
    this.#at += expected.length;
    this.#skip();
    return true;
  }

  /** Consumes a whole word if it is next. */
  takeWord(expected: string): boolean {
    const after = this.#text.charAt(this.#at + expected.length);
    return (after === "" || /\s/.test(after)) && this.take(expected);
  }

  /** A word up to the next space or brace, or a text in double quotes. */
  word(what: string): string {
    const start = this.#at;
    const rest = this.#text.slice(start);
    const found = /^"(?:[^"\\]|\\.)*"/.exec(rest)?.[0] ?? /^[^\s{}"]+/.exec(rest)?.[0];
    if (found === undefined) throw new ShortFormError(start, `${what} expected`);
    this.#at += found.length;
    this.#skip();
    if (!found.startsWith('"')) return found;
    try {
      return JSON.parse(found) as string; // a text in double quotes
    } catch {
      throw new ShortFormError(start, `${what} as a JSON string in double quotes expected`);
    }
  }

  /** A name of letters, digits and underscores. */
  name(what: string): string {
    const found = /^[A-Za-z_][A-Za-z0-9_]*/.exec(this.#text.slice(this.#at))?.[0];
    if (found === undefined) throw new ShortFormError(this.#at, `${what} expected`);
    this.#at += found.length;
    this.#skip();
    return found;
  }

  /** A map in braces, if it is next. */
  map(): Readonly<Record<string, unknown>> | undefined {
    if (this.#text.charAt(this.#at) !== "{") return undefined;
    const start = this.#at;
    const end = this.#endOfMap();
    const document = parseDocument(this.#text.slice(start, end));
    const [error] = document.errors;
    if (error !== undefined)
      throw new ShortFormError(start + error.pos[0], error.message.split(" at line ")[0] ?? error.message);
    const value: unknown = document.toJS();
    if (!isJsonObject(value)) throw new ShortFormError(start, "{name: value, …} expected");
    this.#at = end;
    this.#skip();
    return value;
  }

  end(): void {
    if (!this.isAtEnd)
      throw new ShortFormError(this.#at, `unexpected ${JSON.stringify(this.#text.slice(this.#at))}`);
  }

  #endOfMap(): number {
    let depth = 0;
    let quote: string | undefined;
    for (let at = this.#at; at < this.#text.length; at += 1) {
      const character = this.#text.charAt(at);
      if (quote !== undefined) {
        if (character === "\\" && quote === '"') at += 1;
        else if (character === quote) quote = undefined;
      } else if (/["']/.test(character) && /[\s{[,:]/.test(this.#text.charAt(at - 1))) quote = character;
      else if ("{[".includes(character)) depth += 1;
      else if ("}]".includes(character) && --depth === 0) return at + 1;
    }
    throw new ShortFormError(this.#at, 'unclosed "{"');
  }

  #skip(): void {
    while (/\s/.test(this.#text.charAt(this.#at))) this.#at += 1;
  }
}
