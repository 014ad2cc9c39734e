import type { Scalar } from "./model.ts";

/** One graph as the evaluator walks it. */
export interface WorldNode {
  readonly element: "node";
  readonly type: string;
  readonly externalId: string | null;
  readonly gid: string | null;
  readonly createTime: string | null;
  readonly updateTime: string | null;
  readonly labels: ReadonlySet<string>;
  readonly properties: ReadonlyMap<string, Value>;
  readonly metadata: ReadonlyMap<string, ReadonlyMap<string, Value>>;
  readonly trust: ReadonlyMap<string, number> | undefined;
}

export interface WorldEdge {
  readonly element: "edge";
  readonly type: string;
  readonly createTime: string | null;
  readonly updateTime: string | null;
  readonly source: WorldNode;
  readonly target: WorldNode;
  readonly properties: ReadonlyMap<string, Value>;
}

export interface WorldPath {
  readonly element: "path";
  readonly nodes: readonly WorldNode[];
  readonly edges: readonly WorldEdge[];
}

export interface MapValue {
  readonly element: "map";
  readonly entries: ReadonlyMap<string, Value>;
}

export type Element = WorldNode | WorldEdge | WorldPath | MapValue;
export type Value = null | Scalar | readonly Value[] | Element;

/** Three-valued truth. */
export type Truth = boolean | null;

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);
export const isNumber = (value: Value): value is bigint | number =>
  typeof value === "bigint" || typeof value === "number";
const isElement = (value: Value): value is Element =>
  typeof value === "object" && value !== null && !isList(value);
export const isNode = (value: Value): value is WorldNode => isElement(value) && value.element === "node";
export const isEdge = (value: Value): value is WorldEdge => isElement(value) && value.element === "edge";
export const isPath = (value: Value): value is WorldPath => isElement(value) && value.element === "path";
export const isMap = (value: Value): value is MapValue => isElement(value) && value.element === "map";

export const not = (truth: Truth): Truth => (truth === null ? null : !truth);
export const and = (left: Truth, right: Truth): Truth =>
  left === false || right === false ? false : left === null || right === null ? null : true;
export const or = (left: Truth, right: Truth): Truth => not(and(not(left), not(right)));
export const xor = (left: Truth, right: Truth): Truth =>
  left === null || right === null ? null : left !== right;

/** A scalar as text; what else there is, by its kind. */
export const show = (value: Value): string =>
  typeof value === "object" && value !== null ? ("element" in value ? value.element : "list") : String(value);

/** The texts of a list's items. Lists lose their order: collected ones have none, and a projection of another kind keeps its elements anyway. */
export const unordered = (texts: readonly string[]): string => `[${texts.toSorted().join(",")}]`;

/** An expression used where a truth is wanted; anything else is a mistake of the generator. */
export const truthOf = (value: Value): Truth => {
  if (value === null || typeof value === "boolean") return value;
  throw new TypeError(`no truth: ${show(value)}`);
};

const equalLists = (left: readonly Value[], right: readonly Value[]): Truth => {
  if (left.length !== right.length) return false;
  return left.reduce<Truth>((truth, item, index) => and(truth, equals(item, right[index] ?? null)), true);
};

/** `=` in a filter: null makes null, kinds differ makes false, numbers compare by value. */
export const equals = (left: Value, right: Value): Truth => {
  if (left === null || right === null) return null;
  // Integers and floats of the oracle are small, so that the abstract comparison is exact.
  // oxlint-disable-next-line eslint/eqeqeq
  if (isNumber(left) && isNumber(right)) return left == right;
  if (isList(left) && isList(right)) return equalLists(left, right);
  if (isPath(left) && isPath(right))
    return left.nodes[0] === right.nodes[0] && equalLists(left.edges, right.edges) === true;
  return left === right;
};

/** Ordering of two strings by code points. */
export const compareStrings = (left: string, right: string): number => {
  const [a, b] = [Array.from(left), Array.from(right)];
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const difference = (a[index]?.codePointAt(0) ?? 0) - (b[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
};

/** Negative, zero, positive; null where the two have no order. */
export const compare = (left: Value, right: Value): number | null => {
  if (isNumber(left) && isNumber(right)) return left < right ? -1 : left > right ? 1 : 0;
  if (typeof left === "string" && typeof right === "string") return compareStrings(left, right);
  if (typeof left === "boolean" && typeof right === "boolean") return Number(left) - Number(right);
  return null;
};

const identities = new WeakMap<object, number>();
let lastIdentity = 0;
const identity = (element: object): number => {
  let found = identities.get(element);
  if (found === undefined) identities.set(element, (found = ++lastIdentity));
  return found;
};

/** The same text for values that DISTINCT and grouping hold for one; null is one with null. */
export const groupKey = (value: Value): string => {
  if (value === null) return "null";
  if (isNumber(value)) return `n${Number(value)}`;
  if (typeof value === "string") return `s${JSON.stringify(value)}`;
  if (typeof value === "boolean") return `b${value}`;
  if (isList(value)) return `[${value.map(groupKey).join(",")}]`;
  if (isPath(value)) return `p${[...value.nodes, ...value.edges].map(identity).join("-")}`;
  return `e${identity(value)}`;
};

/** Ascending order of sort keys of one kind; null comes last. */
export const sortOrder = (left: Value, right: Value): number => {
  if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1;
  const order = compare(left, right);
  if (order === null) throw new TypeError("sort keys of different kinds");
  return order;
};
