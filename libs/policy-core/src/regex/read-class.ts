import { posixClasses } from "./classes.ts";
import { codePoints, type CodePoints, complement, union } from "./code-points.ts";
import { type Cursor, RegexFault } from "./cursor.ts";
import { classPoints, type Escape, readEscape } from "./escapes.ts";

/** Both cases of what is written, where the pattern asks for that. */
export type Fold = (set: CodePoints) => CodePoints;

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
    throw new RegexFault('a "-" between brackets stands first, last or in a range; write \\-');
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
export const readClass = (cursor: Cursor, fold: Fold): CodePoints => {
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
