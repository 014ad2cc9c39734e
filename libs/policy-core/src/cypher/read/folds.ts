import type { Expression, Quantifier } from "../ast.ts";
import type { Reader } from "./reader.ts";

const quantifiers = new Map<string, Quantifier["quantifier"]>([
  ["ALL", "all"],
  ["ANY", "any"],
  ["NONE", "none"],
  ["SINGLE", "single"],
]);

/** Whether `all(x IN …`, its kin or `reduce(…` begin here: functions with a syntax of their own. */
export const isFoldAt = (reader: Reader): boolean => {
  const { token } = reader;
  if (token.kind !== "name" || !reader.isMark("(", 1)) return false;
  return token.word === "REDUCE" || quantifiers.has(token.word);
};

/** Reads `all(x IN list WHERE p)` and `reduce(a = 0, x IN list | a + x)`. */
export const readFold = (reader: Reader): Expression => {
  const { name, word, at } = reader.expectName();
  reader.expectMark("(");
  const quantifier = quantifiers.get(word);
  const fold =
    quantifier === undefined ? readReduce(reader, at) : readQuantifier(reader, quantifier, name, at);
  reader.expectMark(")");
  return fold;
};

const readQuantifier = (
  reader: Reader,
  quantifier: Quantifier["quantifier"],
  name: string,
  at: number,
): Expression => {
  const variable = reader.expectName().name;
  reader.expectWord("IN");
  const list = reader.rules.expression(reader);
  if (!reader.takeWord("WHERE")) reader.refuse(`${name}(…) needs WHERE`);
  return { kind: "quantifier", quantifier, variable, list, where: reader.perElement(), at };
};

const readReduce = (reader: Reader, at: number): Expression => {
  const accumulator = reader.expectName().name;
  reader.expectMark("=");
  const initial = reader.rules.expression(reader);
  reader.expectMark(",");
  const variable = reader.expectName().name;
  reader.expectWord("IN");
  const list = reader.rules.expression(reader);
  reader.expectMark("|");
  const result = reader.perElement();
  return { kind: "reduce", accumulator, initial, variable, list, result, at };
};
