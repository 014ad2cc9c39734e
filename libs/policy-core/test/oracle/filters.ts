import type { LeafOperator } from "../../src/filters/leaf-operators.ts";
import { instantOf } from "./instant.ts";
import { isIn, testOrder, testText } from "./expressions.ts";
import type { FilterSpec, OperandSpec, ReferenceExpr } from "./model.ts";
import { edgeAttribute, nodeAttribute, type Row } from "./setting.ts";
import { compare, equals, isList, isNode, isNumber, not, and, or, type Truth, type Value } from "./values.ts";

type Leaf = Extract<FilterSpec, { attribute: OperandSpec }>;

/** What a filter reads beside the row. */
export interface FilterSetting {
  readonly lookUp: (reference: ReferenceExpr) => Value;
  readonly tokenSent: boolean;
}

const read = (operand: OperandSpec, row: Row, setting: FilterSetting): Value => {
  switch (operand.is) {
    case "literal":
      return operand.value;
    case "reference":
      return setting.lookUp({ kind: "reference", name: operand.name, path: operand.path });
    case "node": {
      const node = row.get(operand.alias) ?? null;
      return isNode(node) ? nodeAttribute(node, operand.step) : null;
    }
    case "edge":
      return edgeAttribute(row.get(operand.alias) ?? null, operand.name);
    case "value":
      return row.get(operand.name) ?? null;
    case "instant":
      return read(operand.of, row, setting);
  }
};

/** Ordering in a filter: two numbers or two texts; booleans have none. */
const ordered = (left: Value, right: Value): number | null => {
  const both = (kind: (value: Value) => boolean): boolean => kind(left) && kind(right);
  return both(isNumber) || both((value) => typeof value === "string") ? compare(left, right) : null;
};

/** The truth of a leaf (operators of filters, docs/policy-language.md); a null on either side is neither true nor false. */
export const testLeaf = (operator: LeafOperator, left: Value, right: Value): Truth => {
  if (operator === "IS NULL") return left === null;
  if (operator === "IS NOT NULL") return left !== null;
  if (left === null || right === null) return null;
  switch (operator) {
    case "=":
      return equals(left, right);
    case "<>":
      return not(equals(left, right));
    case "IN":
      return isList(right) ? isIn(left, right) : null;
    case "CONTAINS":
      return isList(left) ? isIn(right, left) : testText(operator, left, right);
    case "STARTS WITH":
    case "ENDS WITH":
    case "=~":
      return testText(operator, left, right);
    case "<":
    case "<=":
    case ">":
    case ">=":
      return testOrder(operator, ordered(left, right));
  }
};

const readsToken = (operand: OperandSpec | undefined): boolean =>
  operand?.is === "instant"
    ? readsToken(operand.of)
    : operand?.is === "reference" && operand.name === "token";

/**
 * The truth of a filter; only true lets a row or a decision pass. A leaf that reads the token while none was sent fails
 * closed, under NOT too: null does exactly that, because it never turns true.
 */
export const testFilter = (filter: FilterSpec, row: Row, setting: FilterSetting): Truth => {
  if ("attribute" in filter) return testOne(filter, row, setting);
  const truths = filter.operands.map((operand) => testFilter(operand, row, setting));
  switch (filter.operator) {
    case "AND":
      return truths.reduce<Truth>(and, true);
    case "OR":
      return truths.reduce<Truth>(or, false);
    case "NOT":
      return not(truths[0] ?? null);
  }
};

const testOne = (leaf: Leaf, row: Row, setting: FilterSetting): Truth => {
  if (!setting.tokenSent && (readsToken(leaf.attribute) || readsToken(leaf.value))) return null;
  const right = leaf.value === undefined ? null : read(leaf.value, row, setting);
  const left = read(leaf.attribute, row, setting);
  const instants = [leaf.attribute, leaf.value].some((operand) => operand?.is === "instant");
  return instants
    ? testLeaf(leaf.operator, instantOf(left), instantOf(right))
    : testLeaf(leaf.operator, left, right);
};
