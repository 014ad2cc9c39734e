import { equals, isEdge, isList, isNumber, isPath, show, truthOf, type Value } from "./values.ts";

const text = (value: Value): string => {
  if (typeof value !== "string") throw new TypeError(`no text: ${show(value)}`);
  return value;
};
const whole = (value: Value): bigint => {
  if (typeof value !== "bigint") throw new TypeError(`no integer: ${show(value)}`);
  return value;
};
const number = (value: Value): bigint | number => {
  if (!isNumber(value)) throw new TypeError(`no number: ${show(value)}`);
  return value;
};
const list = (value: Value): readonly Value[] => {
  if (!isList(value)) throw new TypeError(`no list: ${show(value)}`);
  return value;
};
const at = (args: readonly Value[], index: number): Value => args[index] ?? null;

const characters = (value: Value): string[] => Array.from(text(value));

const toText = (value: Value): string => {
  if (typeof value === "number") return Number.isInteger(value) ? `${value}.0` : String(value);
  return show(value);
};

const toWhole = (value: Value): bigint | null => {
  if (typeof value === "string") return /^[+-]?\d+$/.test(value) ? BigInt(value) : null;
  if (typeof value === "boolean") return value ? 1n : 0n;
  return BigInt(Math.trunc(Number(number(value))));
};

const toFloat = (value: Value): number | null => {
  if (typeof value === "string") return /^[+-]?\d+(\.\d+)?$/.test(value) ? Number(value) : null;
  return Number(number(value));
};

const toTruth = (value: Value): boolean | null => {
  if (typeof value === "boolean") return value;
  if (typeof value === "string") return /^true$/i.test(value) ? true : /^false$/i.test(value) ? false : null;
  return whole(value) !== 0n;
};

/** Called with no null among the arguments: these are null as soon as one is. */
const strict: Readonly<Record<string, (...args: readonly Value[]) => Value>> = {
  size: (of = null) => BigInt(typeof of === "string" ? characters(of).length : list(of).length),
  isEmpty: (of = null) => (typeof of === "string" ? of === "" : list(of).length === 0),
  head: (of = null) => at(list(of), 0),
  last: (of = null) => list(of).at(-1) ?? null,
  tail: (of = null) => list(of).slice(1),
  reverse: (of = null) =>
    typeof of === "string" ? characters(of).toReversed().join("") : list(of).toReversed(),
  type: (of = null) => (isEdge(of) ? of.type : null),
  startNode: (of = null) => (isEdge(of) ? of.source : null),
  endNode: (of = null) => (isEdge(of) ? of.target : null),
  nodes: (of = null) => (isPath(of) ? of.nodes : null),
  relationships: (of = null) => (isPath(of) ? of.edges : null),
  length: (of = null) => (isPath(of) ? BigInt(of.edges.length) : null),
  toLower: (of = null) => text(of).toLowerCase(),
  toUpper: (of = null) => text(of).toUpperCase(),
  trim: (of = null) => text(of).trim(),
  lTrim: (of = null) => text(of).trimStart(),
  rTrim: (of = null) => text(of).trimEnd(),
  split: (of = null, by = null) => text(of).split(text(by)),
  substring: (of = null, from = null, length?: Value) => {
    const start = Number(whole(from));
    const end = length === undefined ? undefined : start + Number(whole(length));
    return characters(of).slice(start, end).join("");
  },
  replace: (of = null, what = null, by = null) => text(of).replaceAll(text(what), () => text(by)),
  left: (of = null, length = null) =>
    characters(of)
      .slice(0, Number(whole(length)))
      .join(""),
  right: (of = null, length = null) => {
    const all = characters(of);
    return all.slice(Math.max(0, all.length - Number(whole(length)))).join("");
  },
  toString: (of: Value = null) => toText(of),
  toStringOrNull: (of = null) => (isList(of) ? null : toText(of)),
  abs: (of = null) => (number(of) < 0 ? -number(of) : number(of)),
  sign: (of = null) => (number(of) < 0 ? -1n : number(of) > 0 ? 1n : 0n),
  ceil: (of = null) => Math.ceil(Number(number(of))),
  floor: (of = null) => Math.floor(Number(number(of))),
  round: (of = null) => Math.round(Number(number(of))),
  toInteger: (of = null) => toWhole(of),
  toIntegerOrNull: (of = null) => (isList(of) ? null : toWhole(of)),
  toFloat: (of = null) => toFloat(of),
  toFloatOrNull: (of = null) => (isList(of) || typeof of === "boolean" ? null : toFloat(of)),
  toBoolean: (of = null) => toTruth(of),
  toBooleanOrNull: (of = null) => (isList(of) || typeof of === "number" ? null : toTruth(of)),
};

/** A scalar or list function of the policy language. */
export const callFunction = (name: string, args: readonly Value[]): Value => {
  if (name === "coalesce") return args.find((each) => each !== null) ?? null;
  if (name === "nullIf") return truthOf(equals(at(args, 0), at(args, 1))) === true ? null : at(args, 0);
  const called = strict[name];
  if (called === undefined) throw new Error(`the oracle does not know ${name}()`);
  return args.includes(null) ? null : called(...args);
};
