import type { Case, ComparisonOperator, Expression } from "../cypher/ast.ts";
import {
  call,
  compareBy,
  concat,
  integer,
  letExpression,
  noPosition,
  operate,
  text,
  variable,
  when,
} from "../rewrite/build.ts";
import { physicalDerivedForm } from "../rewrite/values.ts";
import { orderKey } from "../texts/order.ts";
import type { Operand } from "./filter.ts";
import { operandExpression, type PrintContext } from "./print-operand.ts";

const highText = "(?s).*[\\x{E000}-\\x{10FFFF}].*";

/** Characters that are looked at together. A text that grows by single characters is copied for each, and each is found by counting. */
const pieceLength = 256;

/** All of these texts as one, each made another by `result` of its name. */
const joinTexts = (accumulator: string, name: string, list: Expression, result: Expression): Expression => ({
  kind: "reduce",
  accumulator,
  initial: text(""),
  variable: name,
  list,
  result: concat(variable(accumulator), result),
  at: noPosition,
});

/** `orderKey` for one character. */
const characterKey = (character: Expression): Case => {
  const alternatives = [
    {
      test: operate(character, "=~", text("[\\x{10000}-\\x{10FFFF}]")),
      then: concat(text("\uFFFF"), character),
    },
    { test: compareBy(character, "=", text("\uFFFF")), then: text("\uFFFF ") },
  ];
  return {
    kind: "case",
    alternatives: alternatives.map(({ test, then }) => ({
      kind: "alternative",
      when: [test],
      then,
      at: noPosition,
    })),
    otherwise: character,
    at: noPosition,
  };
};

const highTextTest = (given: Expression): Expression => operate(given, "=~", text(highText));

const upTo = (size: Expression): Expression => call("range", integer(0), size);

const lastOf = (given: Expression): Expression => operate(call("size", given), "-", integer(1));

/** `orderKey` for a value that is known only while the statement runs; a value that is not a text is unchanged. */
const runningKey = (value: Expression): Expression => {
  const [index, piece] = [variable("__i"), variable("__piece")];
  const character = call("substring", piece, index, integer(1));
  const pieceKey = joinTexts("__part", "__i", upTo(lastOf(piece)), characterKey(character));
  return letExpression("__text", value, (given): Case => {
    const pieces: Expression = {
      kind: "list-comprehension",
      variable: "__i",
      list: upTo(operate(lastOf(given), "/", integer(pieceLength))),
      result: call("substring", given, operate(index, "*", integer(pieceLength)), integer(pieceLength)),
      at: noPosition,
    };
    const key = joinTexts("__key", "__piece", pieces, when(highTextTest(piece), pieceKey, piece));
    return when(highTextTest(given), key, given);
  });
};

/** Texts of the graph and of the statement itself: the database orders them by code point. */
const isOrdered = (operand: Operand): boolean =>
  operand.kind === "literal" || operand.kind === "node-path" || operand.kind === "relationship-path";

const keyOf = (operand: Operand, context: PrintContext): Expression =>
  operand.kind === "literal" && typeof operand.value === "string"
    ? text(orderKey(operand.value) ?? operand.value)
    : runningKey(operandExpression(operand, context));

const isLow = (operand: Operand): boolean =>
  operand.kind === "literal" && (typeof operand.value !== "string" || orderKey(operand.value) === null);

/** Tests whether the order of the database would differ for one side; the other side is then irrelevant. */
const highOperandTest = (operand: Operand, context: PrintContext): Expression => {
  if (operand.kind === "reference") {
    const operandKey = physicalDerivedForm(operand.reference, "order", context.rowSource);
    return { kind: "is-null", operand: operandKey, negated: true, at: noPosition };
  }
  return highTextTest(operandExpression(operand, context));
};

/**
 * `<`, `<=`, `>` and `>=` by code point. The database compares two texts of the graph so, but by UTF-16 unit when a
 * value of the request takes part (see `orderKey`); the two orders differ only where both texts hold a character
 * from U+E000 on. So one side is tested for such a character, and only then are keys compared in place of the texts.
 */
export const inequalityExpression = (
  attribute: Operand,
  operator: ComparisonOperator,
  value: Operand,
  context: PrintContext,
): Expression => {
  const plain = compareBy(operandExpression(attribute, context), operator, operandExpression(value, context));
  if ((isOrdered(attribute) && isOrdered(value)) || isLow(value) || isLow(attribute)) return plain;
  const exact = compareBy(keyOf(attribute, context), operator, keyOf(value, context));
  if (value.kind === "literal" || attribute.kind === "literal") return exact;
  return when(highOperandTest(attribute.kind === "reference" ? attribute : value, context), exact, plain);
};
