import type { Case, ComparisonOperator, Expression } from "../cypher/ast.ts";
import { call, compareBy, concat, integer, named, operate, text, when } from "../rewrite/build.ts";
import { physicalForm } from "../rewrite/values.ts";
import { orderKey } from "../texts/order.ts";
import type { Operand } from "./filter.ts";
import { operandExpression, type PrintPlace } from "./print-operand.ts";

const at = -1;
const highText = "(?s).*[\\x{E000}-\\x{10FFFF}].*";

/** `orderKey` for a value that is known only while the statement runs; what is no text stays as it is. */
const runningKey = (value: Expression): Expression => {
  const character = call(
    "substring",
    { kind: "variable", name: "__text", at },
    { kind: "variable", name: "__i", at },
    integer(1),
  );
  return named("__text", value, (given): Case => {
    const alternatives = [
      {
        test: operate(character, "=~", text("[\\x{10000}-\\x{10FFFF}]")),
        then: concat(text("\uFFFF"), character),
      },
      { test: compareBy(character, "=", text("\uFFFF")), then: text("\uFFFF ") },
    ];
    const step: Case = {
      kind: "case",
      alternatives: alternatives.map(({ test, then }) => ({ kind: "alternative", when: [test], then, at })),
      otherwise: character,
      at,
    };
    const key: Expression = {
      kind: "reduce",
      accumulator: "__key",
      initial: text(""),
      variable: "__i",
      list: call("range", integer(0), operate(call("size", given), "-", integer(1))),
      result: concat({ kind: "variable", name: "__key", at }, step),
      at,
    };
    return when(operate(given, "=~", text(highText)), key, given);
  });
};

/** Texts of the graph and of the statement itself: the database orders them by code point. */
const isOrdered = (operand: Operand): boolean =>
  operand.kind === "literal" || operand.kind === "node-path" || operand.kind === "relationship-path";

const keyOf = (operand: Operand, place: PrintPlace): Expression =>
  operand.kind === "literal" && typeof operand.value === "string"
    ? text(orderKey(operand.value) ?? operand.value)
    : runningKey(operandExpression(operand, place));

const isLow = (operand: Operand): boolean =>
  operand.kind === "literal" && (typeof operand.value !== "string" || orderKey(operand.value) === null);

/** True where the order of the database would differ, for one side; the other side then decides nothing. */
const isHigh = (operand: Operand, place: PrintPlace): Expression => {
  if (operand.kind === "reference") {
    const operandKey = physicalForm(operand.reference, "order", place.form);
    return { kind: "is-null", operand: operandKey, negated: true, at };
  }
  return operate(operandExpression(operand, place), "=~", text(highText));
};

/**
 * `<`, `<=`, `>` and `>=` by code point. The database compares two texts of the graph so, but by UTF-16 unit when a
 * value of the request takes part (see `orderKey`); the two orders differ only where both texts hold a character
 * from U+E000 on. So one side is asked for such a character, and only then are keys compared in place of the texts.
 */
export const orderExpression = (
  attribute: Operand,
  operator: ComparisonOperator,
  value: Operand,
  place: PrintPlace,
): Expression => {
  const plain = compareBy(operandExpression(attribute, place), operator, operandExpression(value, place));
  if ((isOrdered(attribute) && isOrdered(value)) || isLow(value) || isLow(attribute)) return plain;
  const exact = compareBy(keyOf(attribute, place), operator, keyOf(value, place));
  if (value.kind === "literal" || attribute.kind === "literal") return exact;
  return when(isHigh(attribute.kind === "reference" ? attribute : value, place), exact, plain);
};
