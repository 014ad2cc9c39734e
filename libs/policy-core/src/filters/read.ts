import { isJsonObject } from "@ikg/contracts/values";
import { type Faults, type JsonObject, member, readArray, readObject, readString } from "../json.ts";
import { type Advice, type BranchOperator, branchOperators, type Scalar } from "./filter.ts";
import { comparesInstants, leafOperators, type LeafOperator, leafRules } from "./leaf-operators.ts";

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
export const maxFilterDepth = 16;
export const maxLeaves = 200;
const keys = ["operator", "attribute", "value", "operands", "advice", "app"];

const isScalar = (value: unknown): value is Scalar =>
  typeof value === "string" ||
  typeof value === "boolean" ||
  (typeof value === "number" && Number.isFinite(value));

const readAdvice = (value: unknown, path: string, faults: Faults): Advice | undefined => {
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) {
    faults.add(path, "object expected");
    return undefined;
  }
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== "string") faults.add(`${path}.${key.slice(0, 64)}`, "string expected");
  }
  return value as Advice; // every member was just seen to be a string, or there is a fault
};

const readInstant = (
  value: JsonObject,
  operator: LeafOperator,
  path: string,
  faults: Faults,
): RawInstant | undefined => {
  readObject(value, path, ["type", "value"], faults);
  const type = readString(member(value, "type"), `${path}.type`, faults);
  if (type !== undefined && type !== "datetime") faults.add(`${path}.type`, "must be datetime");
  if (!comparesInstants(operator)) faults.add(path, `${operator} takes no datetime`);
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
  const { takes } = leafRules[operator];
  if (takes.length === 0) {
    if (value !== undefined) faults.add(path, `${operator} takes no value`);
    return undefined;
  }
  if (value === undefined) {
    faults.add(path, "required");
    return undefined;
  }
  if (isScalar(value)) {
    if (!takes.includes("scalar") && !(typeof value === "string" && /^[$@]/.test(value))) {
      faults.add(path, `${operator} takes an array, $name or @alias.property.name`);
    }
    return typeof value === "string" ? readText(value, path, faults) : value;
  }
  if (Array.isArray(value) && value.every(isScalar)) {
    if (!takes.includes("array")) faults.add(path, `${operator} takes no array`);
    for (const each of value) if (typeof each === "string") readText(each, path, faults);
    return value;
  }
  if (isJsonObject(value)) return readInstant(value, operator, path, faults);
  faults.add(path, "string, number, boolean, array of these or datetime object expected");
  return undefined;
};

const readAttribute = (
  value: unknown,
  operator: LeafOperator,
  path: string,
  faults: Faults,
): string | RawInstant | undefined =>
  isJsonObject(value) ? readInstant(value, operator, path, faults) : readString(value, path, faults);

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
    faults.add(
      `${path}.operands`,
      operator === "NOT" ? "NOT takes exactly 1 operand" : "must have at least one operand",
    );
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
  if (depth > maxFilterDepth) {
    faults.add(path, `nested deeper than ${maxFilterDepth}`);
    return undefined;
  }
  const object = readObject(value, path, keys, faults);
  if (object === undefined) return undefined;
  const advice = readAdvice(member(object, "advice"), `${path}.advice`, faults);
  // A label for people, without effect: it is checked and not kept.
  const app = member(object, "app");
  if (app !== undefined && typeof app !== "string") faults.add(`${path}.app`, "string expected");
  const operator = member(object, "operator");
  const hasOperands = member(object, "operands") !== undefined;
  if ((member(object, "attribute") !== undefined) === hasOperands) {
    faults.add(path, 'must have either "attribute" or "operands"');
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
  faults.add(`${path}.operator`, `must be one of ${known.join(", ")}`);
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
