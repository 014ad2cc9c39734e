import { type Amount, constant, maxOf, atMost, one, product, sum, times, zero } from "./amount.ts";
import { collectedCharacters, collectedEntries } from "./budget.ts";
import { listBytes, textBytes } from "./bytes.ts";
import { entryOf, largestOf, listOf, scalar, type Size, textOf } from "./size.ts";

/** The cost and the size of a function's result. */
export interface FunctionCost {
  readonly size: Size;
  readonly steps: Amount;
  /** Bytes of the result. */
  readonly bytes: Amount;
  /** The result refers to values of the arguments. */
  readonly keeps: boolean;
}

type Rule = (args: readonly Size[]) => FunctionCost;

const first = (args: readonly Size[]): Size => args[0] ?? scalar;

/** Characters of a text that are read or compared in one step. */
export const charactersPerStep = 64;

/** A value that needs no memory of its own. @param per characters of the first argument that one step reads */
const small =
  (per = charactersPerStep): Rule =>
  (args) => ({
    size: scalar,
    steps: sum(one, times(first(args).characters, 1 / per)),
    bytes: zero,
    keeps: false,
  });

/** One of the arguments, or a part of it. */
const part =
  (of: (args: readonly Size[]) => Size): Rule =>
  (args) => ({ size: of(args), steps: one, bytes: zero, keeps: true });

/** A new text. @param per characters that one step writes */
const newText = (characters: Amount, per: number, read: Amount = zero): FunctionCost => ({
  size: textOf(characters),
  steps: sum(one, times(characters, 1 / per), read),
  bytes: textBytes(characters),
  keeps: false,
});

/** A text as long as the first argument. Letters grow to three in capitals: "ΐ". */
const sameText =
  (per: number, growth = 1): Rule =>
  (args) =>
    newText(times(first(args).characters, growth), per);

/**
 * The steps of looking for a text in a text at every place. Of a text of length n a part of length m is compared at n - m
 * places, which makes at most n²/4 comparisons, each of about 0.1 ns.
 */
export const searchSteps = (text: Amount, searched: Amount): Amount =>
  sum(one, times(text, 1 / 256), times(product(text, atMost(searched, Math.ceil(text.most / 4))), 1 / 2_048));

/** A list with the entries of another, in a view of it. */
const view: Rule = (args) => {
  const of = first(args);
  const { characters, entries } = of;
  return {
    size: of,
    steps: sum(one, times(characters, 1 / 32), times(entries, 1 / 4)),
    bytes: sum(textBytes(characters), listBytes(entries)),
    keeps: true,
  };
};

const split: Rule = ([text = scalar, separator = scalar]) => {
  // An empty separator, or one of each character: as many entries as characters, and one more.
  const entries = text.characters.most === 0 ? zero : sum(text.characters, one);
  return {
    size: listOf(entries, textOf(constant(text.characters.most)), sum(text.characters, entries)),
    steps: sum(one, entries, searchSteps(text.characters, separator.characters)),
    bytes: sum(times(entries, 96), textBytes(text.characters)),
    keeps: false,
  };
};

const replace: Rule = ([text = scalar, searched = scalar, replacement = scalar]) => {
  // An empty text is found before every character and at the end.
  const places = sum(text.characters, one);
  const characters = sum(text.characters, product(places, replacement.characters));
  return newText(characters, 32, searchSteps(text.characters, searched.characters));
};

/** A number in a text: 64 characters; of anything else its own. */
const toText: Rule = ([of = scalar]) => newText(maxOf(of.characters, constant(64)), 8, constant(10));

/** Parses a text. */
const parse: Rule = (args) => small(8)(args);

/** Text that a date, a time or a duration is read from: nothing is kept of it. */
const temporal: Rule = (args) => ({
  ...small(8)(args),
  steps: sum(constant(12), times(first(args).characters, 1 / 8)),
});

/** All values of a group; the database counts their memory against the limit of the transaction. */
const collect: Rule = (args) => ({
  size: listOf(constant(collectedEntries), first(args), constant(collectedCharacters)),
  steps: one,
  bytes: zero,
  keeps: false,
});

const aggregate = small(Infinity);
const number = small(Infinity);
const nodesOfPath: Rule = (args) => {
  const { entries } = first(args);
  return {
    size: listOf(entries, scalar, entries),
    steps: sum(one, entries),
    bytes: listBytes(entries),
    keeps: false,
  };
};

/**
 * What each function of the language makes of the sizes of its arguments, by its lower-case name. Every allowed function
 * has a row.
 */
export const functionSizes: Readonly<Record<string, Rule>> = {
  count: aggregate,
  sum: aggregate,
  avg: aggregate,
  stdev: aggregate,
  stdevp: aggregate,
  percentilecont: aggregate,
  percentiledisc: aggregate,
  min: part(first),
  max: part(first),
  collect,
  size: small(),
  isempty: small(Infinity),
  head: part((args) => entryOf(first(args))),
  last: part((args) => entryOf(first(args))),
  tail: part(first),
  reverse: view,
  coalesce: part(largestOf),
  nullif: (args) => ({ ...part(first)(args), steps: sum(one, times(first(args).weight, 1 / 64)) }),
  type: part(() => textOf(constant(128))),
  startnode: part(() => scalar),
  endnode: part(() => scalar),
  nodes: nodesOfPath,
  relationships: nodesOfPath,
  length: number,
  tolower: sameText(8, 3),
  toupper: sameText(8, 3),
  trim: sameText(128),
  ltrim: sameText(128),
  rtrim: sameText(128),
  left: sameText(256),
  right: sameText(256),
  substring: sameText(256),
  tostring: toText,
  split,
  replace,
  abs: number,
  ceil: number,
  floor: number,
  sign: number,
  sqrt: number,
  round: number,
  tointeger: parse,
  tofloat: parse,
  toboolean: parse,
  tointegerornull: parse,
  tofloatornull: parse,
  tobooleanornull: parse,
  date: temporal,
  datetime: temporal,
  localdatetime: temporal,
  time: temporal,
  duration: temporal,
  "duration.between": temporal,
};
