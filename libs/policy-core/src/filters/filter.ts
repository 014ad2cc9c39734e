import {
  type Faults,
  isObject,
  type JsonObject,
  member,
  readArray,
  readObject,
  readString,
} from "../json.ts";
import type { NodePath, RelationshipPath } from "../paths/path.ts";
import type { Reference } from "../values/reference.ts";

/** Operators of a filter leaf. */
const leafOperators = [
  "=",
  "<>",
  ">",
  ">=",
  "<",
  "<=",
  "CONTAINS",
  "STARTS WITH",
  "ENDS WITH",
  "=~",
  "IN",
  "IS NULL",
  "IS NOT NULL",
] as const;

export type LeafOperator = (typeof leafOperators)[number];

const branchOperators = ["AND", "OR", "NOT"] as const;
type BranchOperator = (typeof branchOperators)[number];

export type Scalar = string | number | boolean;

/** Texts that a refusal hands to the caller: usually `error` and `error_description`. */
export type Advice = Readonly<Record<string, string>>;

/** Something that a filter reads from a row: a graph path or a value bound by a WITH. */
export type RowPath =
  | { readonly kind: "node-path"; readonly path: NodePath }
  | { readonly kind: "relationship-path"; readonly path: RelationshipPath }
  | { readonly kind: "aggregate"; readonly name: string };

/** Either side of an operator. */
export type Operand =
  | { readonly kind: "literal"; readonly value: Scalar | readonly Scalar[] }
  | { readonly kind: "reference"; readonly reference: Reference }
  | RowPath;

/** A literal only as a `datetime` object. */
export type Attribute = Operand;

export type FilterValue = Operand;

export interface Leaf {
  readonly kind: "leaf";
  /** Its path in the JSON: `policy.condition.filter.operands[1]`. */
  readonly path: string;
  readonly operator: LeafOperator;
  readonly attribute: Attribute;
  /** Absent for IS NULL and IS NOT NULL alone. */
  readonly value: FilterValue | undefined;
  /** `instants` when either side is a `datetime` object: then both are read as instants. */
  readonly compares: "values" | "instants";
  readonly advice: Advice | undefined;
}

interface Branch {
  readonly kind: "branch";
  readonly path: string;
  readonly operator: BranchOperator;
  readonly operands: readonly Filter[];
  readonly advice: Advice | undefined;
}

export type Filter = Leaf | Branch;

/** Every leaf of a filter, in document order. */
export const leavesOf = (filter: Filter): readonly Leaf[] =>
  filter.kind === "leaf" ? [filter] : filter.operands.flatMap(leavesOf);

/** Filters that must all be true, each by itself. */
export const filterConjuncts = (filter: Filter): readonly Filter[] =>
  filter.kind === "branch" && filter.operator === "AND" ? filter.operands.flatMap(filterConjuncts) : [filter];

/** Leaves that must all be true; branches other than AND are left out. */
export const leafConjuncts = (filter: Filter): readonly Leaf[] =>
  filterConjuncts(filter).flatMap((conjunct) => (conjunct.kind === "leaf" ? [conjunct] : []));

/** True when a leaf reads the bearer token: such a leaf fails closed when none was sent. */
export const readsToken = (leaf: Leaf): boolean =>
  (leaf.attribute.kind === "reference" && leaf.attribute.reference.kind === "token") ||
  (leaf.value?.kind === "reference" && leaf.value.reference.kind === "token");

/** A filter whose shape is good; what its texts refer to is resolved when the bindings are known. */
export type RawFilter = RawLeaf | RawBranch;

/** `{"type": "datetime", "value": text}`. */
export interface RawInstant {
  readonly kind: "datetime";
  readonly text: string;
}

type RawValue = Scalar | readonly Scalar[] | RawInstant;

export interface RawLeaf {
  readonly kind: "leaf";
  readonly path: string;
  readonly operator: LeafOperator;
  readonly attribute: string | RawInstant;
  readonly value: RawValue | undefined;
  readonly advice: Advice | undefined;
}

interface RawBranch {
  readonly kind: "branch";
  readonly path: string;
  readonly operator: BranchOperator;
  readonly operands: readonly RawFilter[];
  readonly advice: Advice | undefined;
}

/** Limits of one filter. */
export const maxDepth = 16;
export const maxLeaves = 200;
const keys = ["operator", "attribute", "value", "operands", "advice", "app"];
const unary: ReadonlySet<string> = new Set(["IS NULL", "IS NOT NULL"]);

const isScalar = (value: unknown): value is Scalar =>
  typeof value === "string" ||
  typeof value === "boolean" ||
  (typeof value === "number" && Number.isFinite(value));

const readAdvice = (value: unknown, path: string, faults: Faults): Advice | undefined => {
  if (value === undefined) return undefined;
  if (!isObject(value)) {
    faults.add(path, "object expected");
    return undefined;
  }
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== "string") faults.add(`${path}.${key.slice(0, 64)}`, "string expected");
  }
  return value as Advice; // every member was just seen to be a string, or there is a fault
};

const instantOperators: ReadonlySet<LeafOperator> = new Set(["=", "<>", ">", ">=", "<", "<="]);

const readInstant = (
  value: JsonObject,
  operator: LeafOperator,
  path: string,
  faults: Faults,
): RawInstant | undefined => {
  readObject(value, path, ["type", "value"], faults);
  const type = readString(member(value, "type"), `${path}.type`, faults);
  if (type !== undefined && type !== "datetime") faults.add(`${path}.type`, "must be datetime");
  if (!instantOperators.has(operator)) faults.add(path, `${operator} takes no datetime`);
  const text = readString(member(value, "value"), `${path}.value`, faults);
  return text === undefined ? undefined : { kind: "datetime", text };
};

const readText = (value: string, path: string, faults: Faults): string => {
  if (!value.isWellFormed()) faults.add(path, "a lone surrogate is not well-formed Unicode");
  return value;
};

const readValue = (
  value: unknown,
  operator: LeafOperator,
  path: string,
  faults: Faults,
): RawValue | undefined => {
  if (unary.has(operator)) {
    if (value !== undefined) faults.add(path, `${operator} takes no value`);
    return undefined;
  }
  if (value === undefined) {
    faults.add(path, "required");
    return undefined;
  }
  if (isScalar(value)) {
    if (operator === "IN" && !(typeof value === "string" && /^[$@]/.test(value))) {
      faults.add(path, "IN takes an array, $name or @alias.property.name");
    }
    return typeof value === "string" ? readText(value, path, faults) : value;
  }
  if (Array.isArray(value) && value.every(isScalar)) {
    if (operator !== "IN" && operator !== "=" && operator !== "<>")
      faults.add(path, `${operator} takes no array`);
    for (const each of value) if (typeof each === "string") readText(each, path, faults);
    return value;
  }
  if (isObject(value)) return readInstant(value, operator, path, faults);
  faults.add(path, "string, number, boolean, array of these or datetime object expected");
  return undefined;
};

const readAttribute = (
  value: unknown,
  operator: LeafOperator,
  path: string,
  faults: Faults,
): string | RawInstant | undefined =>
  isObject(value) ? readInstant(value, operator, path, faults) : readString(value, path, faults);

const readLeaf = (
  object: JsonObject,
  operator: LeafOperator,
  path: string,
  advice: Advice | undefined,
  faults: Faults,
): RawLeaf | undefined => {
  const attribute = readAttribute(member(object, "attribute"), operator, `${path}.attribute`, faults);
  const value = readValue(member(object, "value"), operator, `${path}.value`, faults);
  return attribute === undefined ? undefined : { kind: "leaf", path, operator, attribute, value, advice };
};

const readBranch = (
  object: JsonObject,
  operator: BranchOperator,
  at: { path: string; depth: number; leaves: { count: number } },
  advice: Advice | undefined,
  faults: Faults,
): RawBranch => {
  const { path } = at;
  const operands = readArray(member(object, "operands"), `${path}.operands`, faults);
  if (member(object, "value") !== undefined)
    faults.add(`${path}.value`, "a branch has operands and no value");
  if (operator === "NOT" ? operands.length !== 1 : operands.length === 0) {
    faults.add(`${path}.operands`, operator === "NOT" ? "NOT takes exactly 1 operand" : "1 or more operands");
  }
  const read = operands.flatMap((operand, index) => {
    const filter = readFilter(operand, `${path}.operands[${index}]`, faults, at.depth + 1, at.leaves);
    return filter === undefined ? [] : [filter];
  });
  return { kind: "branch", path, operator, operands: read, advice };
};

/** Reads one filter object; shape only. */
const readFilter = (
  value: unknown,
  path: string,
  faults: Faults,
  depth = 1,
  leaves = { count: 0 },
): RawFilter | undefined => {
  if (depth > maxDepth) {
    faults.add(path, `nested deeper than ${maxDepth}`);
    return undefined;
  }
  const object = readObject(value, path, keys, faults);
  if (object === undefined) return undefined;
  const advice = readAdvice(member(object, "advice"), `${path}.advice`, faults);
  const app = member(object, "app");
  if (app !== undefined && typeof app !== "string") faults.add(`${path}.app`, "string expected");
  const operator = member(object, "operator");
  const hasOperands = member(object, "operands") !== undefined;
  if ((member(object, "attribute") !== undefined) === hasOperands) {
    faults.add(path, "either attribute or operands");
    return undefined;
  }
  const branch = branchOperators.find((each) => each === operator);
  const leaf = leafOperators.find((each) => each === operator);
  if (branch !== undefined && hasOperands) {
    return readBranch(object, branch, { path, depth, leaves }, advice, faults);
  }
  if (leaf !== undefined && !hasOperands) {
    leaves.count++;
    if (leaves.count === maxLeaves + 1) faults.add(path, `more than ${maxLeaves} leaves`);
    return readLeaf(object, leaf, path, advice, faults);
  }
  const known = hasOperands ? branchOperators : leafOperators;
  faults.add(`${path}.operator`, `one of ${known.join(", ")}`);
  return undefined;
};

/** Reads one filter or an array of filters, which means AND; absent and `[]` are no restriction. */
export const readFilters = (value: unknown, path: string, faults: Faults): RawFilter | undefined => {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) return readFilter(value, path, faults);
  const leaves = { count: 0 };
  const operands = value.flatMap((each, index) => {
    const filter = readFilter(each, `${path}[${index}]`, faults, 1, leaves);
    return filter === undefined ? [] : [filter];
  });
  const [only] = operands;
  if (operands.length <= 1) return only;
  return { kind: "branch", path, operator: "AND", operands, advice: undefined };
};
