/** A set of code points: ranges from-to, both ends in it, ascending and apart from one another. */
export type CodePoints = readonly (readonly [number, number])[];

const lastCodePoint = 0x10ffff;

export const everything: CodePoints = [[0, lastCodePoint]];

/** The set that holds every point of the ranges, which may overlap and stand in any order. */
export const codePoints = (ranges: CodePoints): CodePoints => {
  const merged: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
};

export const union = (...sets: readonly CodePoints[]): CodePoints => codePoints(sets.flat());

export const complement = (set: CodePoints): CodePoints => {
  const rest: [number, number][] = [];
  let next = 0;
  for (const [from, to] of set) {
    if (from > next) rest.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= lastCodePoint) rest.push([next, lastCodePoint]);
  return rest;
};

/** True when no point is in both. */
export const areApart = (a: CodePoints, b: CodePoints): boolean => {
  let [i, j] = [0, 0];
  for (;;) {
    const [left, right] = [a[i], b[j]];
    if (left === undefined || right === undefined) return true;
    if (left[1] < right[0]) i++;
    else if (right[1] < left[0]) j++;
    else return false;
  }
};

/** True when every point of `part` is in `whole`. */
export const isWithin = (part: CodePoints, whole: CodePoints): boolean => areApart(part, complement(whole));

export const isSame = (a: CodePoints, b: CodePoints): boolean =>
  a.length === b.length && a.every(([from, to], index) => b[index]?.[0] === from && b[index]?.[1] === to);

const point = (code: number): CodePoints => [[code, code]];

/** The points of a text, each a range of its own. */
const pointsOf = (text: string): CodePoints =>
  codePoints(Array.from(text).flatMap((character) => point(character.codePointAt(0) ?? 0)));

const letters = (from: string, to: string): readonly [number, number] => [
  from.charCodeAt(0),
  to.charCodeAt(0),
];
const upper = letters("A", "Z");
const lower = letters("a", "z");
/** Letters outside ASCII that fold to a letter in it: long s and the Kelvin sign. */
const nonAsciiFolds = [
  { letter: "s".charCodeAt(0), codePoint: 0x17f },
  { letter: "k".charCodeAt(0), codePoint: 0x212a },
];

const shifted = (set: CodePoints, [low, high]: readonly [number, number], by: number): CodePoints =>
  set.flatMap(([from, to]) => {
    const [first, last] = [Math.max(from, low), Math.min(to, high)];
    return first <= last ? [[first + by, last + by] as const] : [];
  });

/** The set with both cases of every ASCII letter, and what Unicode folds to them. */
export const bothCases = (set: CodePoints): CodePoints => {
  const folded = union(set, shifted(set, upper, 32), shifted(set, lower, -32));
  const folds = nonAsciiFolds.filter(({ letter }) => !areApart(folded, point(letter)));
  return union(folded, ...folds.map((each) => point(each.codePoint)));
};

const range = (from: string, to: string): CodePoints =>
  codePoints([[from.codePointAt(0) ?? 0, to.codePointAt(0) ?? 0]]);

const digit = range("0", "9");
const lowerCase = range("a", "z");
const upperCase = range("A", "Z");
const word = union(digit, lowerCase, upperCase, pointsOf("_"));

/** `\d`, `\s`, `\w` as RE2 means them: ASCII, and `\s` without the vertical tab. */
export const perlClasses: ReadonlyMap<string, CodePoints> = new Map([
  ["d", digit],
  ["s", pointsOf("\t\n\f\r ")],
  ["w", word],
]);

/** `[:name:]`. */
export const posixClasses: ReadonlyMap<string, CodePoints> = new Map([
  ["alnum", union(digit, lowerCase, upperCase)],
  ["alpha", union(lowerCase, upperCase)],
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
  ["lower", lowerCase],
  ["print", range(" ", "~")],
  ["punct", union(range("!", "/"), range(":", "@"), range("[", "`"), range("{", "~"))],
  ["space", pointsOf("\t\n\v\f\r ")],
  ["upper", upperCase],
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

/** Why a text is not an accepted regular expression. */
export class RegexFault extends Error {}

/** Limit of a pattern, in characters. */
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
