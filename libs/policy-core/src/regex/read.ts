import {
  characterEscapes,
  perlClasses,
  type CodePoints,
  complement,
  Cursor,
  readHex,
  RegexFault,
  posixClasses,
  codePoints,
  union,
  anyButNewline,
  bothCases,
  everything,
  maxPattern,
} from "./code-points.ts";
import { choice, repeat, sequence, type Regex } from "./tree.ts";

/** What an escape in or outside of brackets stands for. */
type Escape =
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
const readEscape = (cursor: Cursor): Escape => {
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
const classPoints = (
  { set, negated }: Extract<Escape, { kind: "class" }>,
  fold: (set: CodePoints) => CodePoints,
): CodePoints => (negated ? complement(fold(set)) : fold(set));

/** Both cases of what is written, where the pattern asks for that. */
type Fold = (set: CodePoints) => CodePoints;

const posix = (cursor: Cursor, fold: Fold): CodePoints | undefined => {
  const found = cursor.match(/^\[:(\^?)([^\]:]*):\]/);
  if (found === undefined) return undefined;
  const [, negated, name = ""] = found;
  const set = posixClasses.get(name);
  if (set === undefined) throw new RegexFault(`[:${name}:] is not a class`);
  return negated === "^" ? complement(fold(set)) : fold(set);
};

const readOne = (cursor: Cursor): Escape => {
  const character = cursor.take();
  if (character === "\\") return readEscape(cursor);
  return { kind: "character", code: character.codePointAt(0) ?? 0 };
};

const readItem = (cursor: Cursor, isFirst: boolean, fold: Fold): CodePoints => {
  const named = posix(cursor, fold);
  if (named !== undefined) return named;
  if (cursor.ahead(1) === "-" && !isFirst && cursor.ahead(2) !== "-]") {
    throw new RegexFault('a "-" between brackets must be first, last or in a range; write \\-');
  }
  const from = readOne(cursor);
  if (from.kind === "class") return classPoints(from, fold);
  if (cursor.ahead(1) !== "-" || cursor.ahead(2) === "-]") return fold([[from.code, from.code]]);
  cursor.take();
  const to = readOne(cursor);
  if (to.kind === "class") throw new RegexFault("a range ends in a character");
  if (to.code < from.code) throw new RegexFault("a range goes from the lower character to the higher");
  return fold([[from.code, to.code]]);
};

/** `[…]`, the opening bracket taken already. A "]" that stands first is a character. */
const readClass = (cursor: Cursor, fold: Fold): CodePoints => {
  const negated = cursor.skip("^");
  const items: CodePoints[] = [];
  while (items.length === 0 || !cursor.skip("]")) {
    if (cursor.done) throw new RegexFault('"[" without "]"');
    items.push(readItem(cursor, items.length === 0, fold));
  }
  const set = negated ? complement(union(...items)) : codePoints(items.flat());
  if (set.length === 0) throw new RegexFault("the brackets hold no character");
  return set;
};

/** Limits of nested groups and of repetitions, as in RE2. */
const maxDepth = 32;
const maxCount = 1_000;

interface Flags {
  readonly ignoreCase: boolean;
  readonly dotAll: boolean;
}

const foldAscii = (set: CodePoints): CodePoints => {
  if (set.some(([, to]) => to > 0x7f)) {
    throw new RegexFault("(?i) takes ASCII letters only; write both cases of others in [ ]");
  }
  return bothCases(set);
};

/** Reads a pattern of a subset of RE2 into a tree. */
class Reader {
  readonly #cursor: Cursor;
  readonly #names = new Set<string>();
  #flags: Flags = { ignoreCase: false, dotAll: false };
  #depth = 0;

  constructor(pattern: string) {
    this.#cursor = new Cursor(pattern);
  }

  whole(): Regex {
    const regex = this.#choice();
    if (!this.#cursor.done) throw new RegexFault('")" without "("');
    return regex;
  }

  /** Flags that are set inside hold to the end of the group. */
  #choice(): Regex {
    const outer = this.#flags;
    const alternatives = [this.#sequence()];
    while (this.#cursor.skip("|")) alternatives.push(this.#sequence());
    this.#flags = outer;
    return choice(alternatives);
  }

  #sequence(): Regex {
    const parts: Regex[] = [];
    while (!this.#cursor.done && this.#cursor.ahead(1) !== "|" && this.#cursor.ahead(1) !== ")") {
      const part = this.#part();
      if (part !== undefined) parts.push(this.#repeated(part));
    }
    return sequence(parts);
  }

  #fold(set: CodePoints): CodePoints {
    return this.#flags.ignoreCase ? foldAscii(set) : set;
  }

  #character(code: number): Regex {
    return { kind: "set", set: this.#fold([[code, code]]) };
  }

  /** One part without its repetition; undefined for flags alone. */
  #part(): Regex | undefined {
    const cursor = this.#cursor;
    if (cursor.skip("\\Q")) return this.#quoted();
    const character = cursor.take();
    switch (character) {
      case "(":
        return this.#group();
      case "[":
        return { kind: "set", set: readClass(cursor, (set) => this.#fold(set)) };
      case ".":
        return { kind: "set", set: this.#flags.dotAll ? everything : anyButNewline };
      case "^":
        return { kind: "anchor", anchor: "begin" };
      case "$":
        return { kind: "anchor", anchor: "end" };
      case "\\":
        return this.#escape();
      case "*":
      case "+":
      case "?":
        throw new RegexFault(`nothing that "${character}" could repeat`);
      case "{":
        throw new RegexFault('write \\{ for the character "{"');
      default:
        return this.#character(character.codePointAt(0) ?? 0);
    }
  }

  #escape(): Regex {
    const anchors = { A: "begin", z: "end", b: "word", B: "no-word" } as const;
    for (const [letter, anchor] of Object.entries(anchors)) {
      if (this.#cursor.skip(letter)) return { kind: "anchor", anchor };
    }
    const escape = readEscape(this.#cursor);
    if (escape.kind === "character") return this.#character(escape.code);
    return {
      kind: "set",
      set: classPoints(escape, (set) => (this.#flags.ignoreCase ? bothCases(set) : set)),
    };
  }

  /** `\Q…\E`: as it stands. A repetition after it concerns its last character. */
  #quoted(): Regex | undefined {
    const characters: Regex[] = [];
    while (!this.#cursor.done && !this.#cursor.skip("\\E")) {
      characters.push(this.#character(this.#cursor.take().codePointAt(0) ?? 0));
    }
    const last = characters.pop();
    return last === undefined ? undefined : sequence([...characters, this.#repeated(last)]);
  }

  #group(): Regex | undefined {
    const cursor = this.#cursor;
    if (this.#depth === maxDepth) throw new RegexFault(`groups nested deeper than ${maxDepth}`);
    if (/^\?(?:=|!|<=|<!)/.test(cursor.ahead(3))) throw new RegexFault("look-around is not accepted");
    const name = cursor.match(/^\?P?<([A-Za-z_][A-Za-z0-9_]*)>/)?.[1];
    if (name !== undefined) {
      if (this.#names.has(name)) throw new RegexFault(`the group name "${name}" is used twice`);
      this.#names.add(name);
    } else if (cursor.ahead(1) === "?" && this.#setFlags()) return undefined;
    const outer = this.#groupFlags;
    this.#groupFlags = undefined;
    const before = this.#flags;
    if (outer !== undefined) this.#flags = outer;
    this.#depth++;
    const inside = this.#choice();
    this.#depth--;
    this.#flags = before;
    if (!cursor.skip(")")) throw new RegexFault('"(" without ")"');
    return inside;
  }

  /** Flags of the group that is about to be read. */
  #groupFlags: Flags | undefined;

  /** `(?flags)` sets them from here on and is true; `(?flags:` sets them for the group that follows. */
  #setFlags(): boolean {
    const found = this.#cursor.match(/^\?([a-zA-Z]*)(-[a-zA-Z]+)?([:)])/);
    if (found === undefined) throw new RegexFault("unknown kind of group");
    const [, on = "", off = "", end] = found;
    const odd = /[^is-]/.exec(on + off)?.[0];
    if (odd !== undefined) throw new RegexFault(`the flag "${odd}" is not accepted; flags are i and s`);
    if (on === "" && off === "" && end === ")") throw new RegexFault("flags expected");
    const flags: Flags = {
      ignoreCase: (this.#flags.ignoreCase || on.includes("i")) && !off.includes("i"),
      dotAll: (this.#flags.dotAll || on.includes("s")) && !off.includes("s"),
    };
    if (end === ")") this.#flags = flags;
    else this.#groupFlags = flags;
    return end === ")";
  }

  #repeated(part: Regex): Regex {
    const counted = this.#count();
    if (counted === undefined) return part;
    if (part.kind === "anchor") throw new RegexFault("an anchor cannot be repeated");
    this.#cursor.skip("?"); // greed makes no difference to a whole match
    if (/^[*+?{]/.test(this.#cursor.ahead(1))) {
      throw new RegexFault("a repetition cannot be repeated or possessive; write a group around it");
    }
    return repeat(part, counted.least, counted.most);
  }

  #count(): { readonly least: number; readonly most: number } | undefined {
    const cursor = this.#cursor;
    if (cursor.skip("*")) return { least: 0, most: Infinity };
    if (cursor.skip("+")) return { least: 1, most: Infinity };
    if (cursor.skip("?")) return { least: 0, most: 1 };
    const found = cursor.match(/^\{(0|[1-9][0-9]{0,3})(,(0|[1-9][0-9]{0,3})?)?\}/);
    if (found === undefined) return undefined;
    const least = Number(found[1]);
    const most = found[2] === undefined ? least : found[3] === undefined ? Infinity : Number(found[3]);
    if (least > maxCount || (most > maxCount && most !== Infinity) || most < least) {
      throw new RegexFault(`{n,m} goes from a number to one as high or higher, at most ${maxCount}`);
    }
    return { least, most };
  }
}

/** Reads a pattern; throws RegexFault for what is not accepted. */
export const readRegex = (pattern: string): Regex => {
  if (!pattern.isWellFormed()) throw new RegexFault("half a character");
  if (pattern.length > 2 * maxPattern || Array.from(pattern).length > maxPattern) {
    throw new RegexFault(`at most ${maxPattern} characters`);
  }
  return new Reader(pattern).whole();
};
