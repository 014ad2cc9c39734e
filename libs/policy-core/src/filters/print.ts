import type { Expression, IsNull } from "../cypher/ast.ts";
import { instantOf } from "../instants/instant.ts";
import { instantExpression } from "../instants/print.ts";
import {
  compareBy,
  listTest,
  orderableTest,
  presenceTest,
  noPosition,
  nullLiteral,
  operate,
  property,
  hideType,
  when,
} from "../rewrite/build.ts";
import { regexExpression, patternLiteral, physicalDerivedForm, rowExpression } from "../rewrite/values.ts";
import { rowKeys } from "../values/row-keys.ts";
import { readsToken, type Filter, type Leaf, type Operand } from "./filter.ts";
import { comparesInstants } from "./leaf-operators.ts";
import { number, operandExpression, type PrintContext } from "./print-operand.ts";
import { inequalityExpression } from "./print-inequality.ts";

/**
 * An operand of CONTAINS, STARTS WITH or ENDS WITH. A literal that is not a text hides its type: the database then
 * answers null instead of refusing the statement.
 */
const textOperand = (operand: Operand, context: PrintContext): Expression => {
  const expression = operandExpression(operand, context);
  return operand.kind === "literal" && typeof operand.value !== "string" ? hideType(expression) : expression;
};

const instantOperand = (operand: Operand, context: PrintContext): Expression => {
  switch (operand.kind) {
    case "literal": {
      const instant = instantOf(operand.value);
      return instant === null ? nullLiteral : { kind: "list", items: instant.map(number), at: noPosition };
    }
    case "reference":
      return physicalDerivedForm(operand.reference, "instant", context.rowSource);
    case "node-path":
    case "relationship-path":
    case "aggregate":
      return instantExpression(operandExpression(operand, context));
  }
};

const patternOperand = (value: Operand, context: PrintContext): Expression =>
  value.kind === "reference"
    ? physicalDerivedForm(value.reference, "pattern", context.rowSource)
    : patternLiteral(value.kind === "literal" ? value.value : undefined);

const comparison = (leaf: Leaf, context: PrintContext): Expression => {
  const { operator, value: given } = leaf;
  const attribute = operandExpression(leaf.attribute, context);
  if (operator === "IS NULL" || operator === "IS NOT NULL") {
    const test: IsNull = {
      kind: "is-null",
      operand: attribute,
      negated: operator === "IS NOT NULL",
      at: noPosition,
    };
    return test;
  }
  if (given === undefined) throw new Error(`${operator} without a value`);
  if (leaf.compares === "instants") {
    if (!comparesInstants(operator)) throw new Error(`${operator} does not compare instants`);
    return compareBy(instantOperand(leaf.attribute, context), operator, instantOperand(given, context));
  }
  const value = operandExpression(given, context);
  const isLiteral = given.kind === "literal";
  switch (operator) {
    case "=":
    case "<>":
      return compareBy(attribute, operator, value);
    case ">":
    case ">=":
    case "<":
    case "<=": {
      const compared = inequalityExpression(leaf.attribute, operator, given, context);
      // The database also orders booleans and lists; here they have no order.
      return isLiteral ? compared : when(orderableTest(value), compared);
    }
    case "CONTAINS": {
      const member = when(presenceTest(value), operate(value, "IN", attribute));
      return when(listTest(attribute), member, operate(attribute, "CONTAINS", textOperand(given, context)));
    }
    case "STARTS WITH":
    case "ENDS WITH":
      return operate(attribute, operator, textOperand(given, context));
    case "=~":
      return regexExpression(attribute, patternOperand(given, context));
    case "IN": {
      // In an empty list the database finds even what is absent to be no member.
      const member = when(presenceTest(attribute), operate(attribute, "IN", value));
      // Membership in a value that is not a list is unknown here and an error in the database.
      return isLiteral ? member : when(listTest(value), member);
    }
  }
};

const leafExpression = (leaf: Leaf, context: PrintContext): Expression => {
  const compared = comparison(leaf, context);
  // Without a token the leaf is unknown, so that NOT over it cannot become true.
  return readsToken(leaf)
    ? when(property(rowExpression(context.rowSource), rowKeys.hasToken), compared)
    : compared;
};

/** A filter as a predicate over one row, with the meaning that `evaluateFilter` has in memory. */
export const printFilter = (filter: Filter, context: PrintContext): Expression => {
  if (filter.kind === "leaf") return leafExpression(filter, context);
  const [first, ...rest] = filter.operands.map((operand) => printFilter(operand, context));
  if (first === undefined) return { kind: "boolean", value: true, at: noPosition };
  if (filter.operator === "NOT") return { kind: "unary", operator: "NOT", operand: first, at: noPosition };
  const { operator } = filter;
  return rest.reduce<Expression>(
    (left, right) => ({ kind: "binary", operator, left, right, at: noPosition }),
    first,
  );
};
