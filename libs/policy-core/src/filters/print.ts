import type { ProjectKey } from "@ikg/physical";
import type { Case, Expression, IsNull } from "../cypher/ast.ts";
import { compareBy, isList, isOrderable, property, untyped, variable } from "../rewrite/build.ts";
import { physicalNodePath, physicalRelationshipPath } from "../rewrite/paths.ts";
import { physicalReference, rowOf, type ValueForm } from "../rewrite/values.ts";
import {
  readsToken,
  type Attribute,
  type Filter,
  type FilterValue,
  type Leaf,
  type Scalar,
} from "./filter.ts";

/** Where a filter is printed: in which project, and where its statement finds values. */
export interface PrintPlace {
  readonly pk: ProjectKey;
  readonly form: ValueForm;
}

const at = -1;

const number = (value: number): Expression => {
  if (value < 0 || Object.is(value, -0)) return { kind: "unary", operator: "-", operand: number(-value), at };
  return Number.isSafeInteger(value)
    ? { kind: "integer", value: BigInt(value), at }
    : { kind: "float", value, at };
};

const scalar = (value: Scalar): Expression => {
  if (typeof value === "string") return { kind: "string", value, at };
  return typeof value === "boolean" ? { kind: "boolean", value, at } : number(value);
};

/** What a filter reads, as an expression over one row. */
export const operandExpression = (operand: Attribute | FilterValue, place: PrintPlace): Expression => {
  switch (operand.kind) {
    case "literal":
      return typeof operand.value === "object"
        ? { kind: "list", items: operand.value.map(scalar), at }
        : scalar(operand.value);
    case "reference":
      return physicalReference(operand.reference, place.form);
    case "node-path":
      return physicalNodePath(variable(operand.path.alias), operand.path, place.pk);
    case "relationship-path":
      return physicalRelationshipPath(variable(operand.path.alias), operand.path);
    case "aggregate":
      // What a WITH bound may have a type that the database knows; a stored value never has.
      return untyped(variable(operand.name));
  }
};

/** An operand of CONTAINS, STARTS WITH or ENDS WITH: only texts may show their type there. */
const textOperand = (operand: Attribute | FilterValue, place: PrintPlace): Expression => {
  const expression = operandExpression(operand, place);
  return operand.kind === "literal" && typeof operand.value !== "string" ? untyped(expression) : expression;
};

const when = (test: Expression, then: Expression, otherwise?: Expression): Case => ({
  kind: "case",
  alternatives: [{ kind: "alternative", when: [test], then, at }],
  ...(otherwise === undefined ? {} : { otherwise }),
  at,
});

const comparison = (leaf: Leaf, place: PrintPlace): Expression => {
  const attribute = operandExpression(leaf.attribute, place);
  if (leaf.operator === "IS NULL" || leaf.operator === "IS NOT NULL") {
    const test: IsNull = {
      kind: "is-null",
      operand: attribute,
      negated: leaf.operator === "IS NOT NULL",
      at,
    };
    return test;
  }
  if (leaf.value === undefined) throw new Error(`${leaf.operator} without a value`);
  const value = operandExpression(leaf.value, place);
  const text = textOperand(leaf.value, place);
  const isLiteral = leaf.value.kind === "literal";
  const binary = (
    operator: "CONTAINS" | "STARTS WITH" | "ENDS WITH" | "IN",
    left: Expression,
    right: Expression,
  ): Expression => ({
    kind: "binary",
    operator,
    left,
    right,
    at,
  });
  switch (leaf.operator) {
    case "=":
    case "<>":
      return compareBy(attribute, leaf.operator, value);
    case ">":
    case ">=":
    case "<":
    case "<=": {
      // The database also orders booleans and lists; here they have no order.
      const compared = compareBy(attribute, leaf.operator, value);
      return isLiteral ? compared : when(isOrderable(value), compared);
    }
    case "CONTAINS":
      return when(isList(attribute), binary("IN", value, attribute), binary("CONTAINS", attribute, text));
    case "STARTS WITH":
    case "ENDS WITH":
      return binary(leaf.operator, attribute, text);
    case "IN":
      // Membership in something that is no list is unknown here and an error in the database.
      return isLiteral ? binary("IN", attribute, value) : when(isList(value), binary("IN", attribute, value));
  }
};

const leafExpression = (leaf: Leaf, place: PrintPlace): Expression => {
  const compared = comparison(leaf, place);
  // Without a token the leaf is unknown, so that NOT over it cannot become true (policies specification 4.4).
  return readsToken(leaf) ? when(property(rowOf(place.form), "ts"), compared) : compared;
};

/** A filter as a predicate over one row, with the meaning that `evaluateFilter` has in memory. */
export const printFilter = (filter: Filter, place: PrintPlace): Expression => {
  if (filter.kind === "leaf") return leafExpression(filter, place);
  const [first, ...rest] = filter.operands.map((operand) => printFilter(operand, place));
  if (first === undefined) return { kind: "boolean", value: true, at };
  if (filter.operator === "NOT") return { kind: "unary", operator: "NOT", operand: first, at };
  const { operator } = filter;
  return rest.reduce<Expression>((left, right) => ({ kind: "binary", operator, left, right, at }), first);
};
