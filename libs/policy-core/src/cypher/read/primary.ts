import type { Case, CaseAlternative, Expression, FunctionCall, Node } from "../ast.ts";
import { functions, holdsAggregate, type Signature } from "../functions.ts";
import { deepestNesting } from "../lex/lexer.ts";
import type { NameToken } from "../lex/token.ts";
import { childrenOf, present } from "../walk.ts";
import { isPatternAt, readBracketed, isFoldAt, readFold, readMap } from "./lists.ts";
import { type Reader, shortestPathRefusal } from "./reader.ts";

const comparingTests = new Set(["=", "<>", "<", "<=", ">", ">=", "=~"]);
const testWords = new Set(["STARTS", "ENDS", "IS"]);

/** Whether the word CASE here begins a CASE and is not a variable of that name. */
const isCaseAt = (reader: Reader): boolean => {
  if (!reader.isWord("CASE")) return false;
  const next = reader.ahead(1);
  return next.kind === "mark" ? ["(", "[", "{", "$", "-", "+"].includes(next.mark) : next.kind !== "end";
};

/** Reads `CASE WHEN c THEN r … END` and `CASE s WHEN v, w THEN r … END`. */
const readCase = (reader: Reader): Case => {
  const { at } = reader.expectWord("CASE");
  if (reader.cases === deepestNesting)
    reader.refuse(`nesting deeper than ${deepestNesting} levels is not allowed`, at);
  reader.cases += 1;
  const subject = reader.isWord("WHEN") ? undefined : reader.rules.expression(reader);
  const alternatives: CaseAlternative[] = [];
  do {
    alternatives.push(readAlternative(reader, subject !== undefined));
  } while (reader.isWord("WHEN"));
  const otherwise = reader.takeWord("ELSE") ? reader.rules.expression(reader) : undefined;
  reader.expectWord("END");
  reader.cases -= 1;
  return { kind: "case", ...present({ subject, otherwise }), alternatives, at };
};

const readAlternative = (reader: Reader, values: boolean): CaseAlternative => {
  const { at } = reader.expectWord("WHEN");
  const when: Expression[] = [readWhen(reader)];
  if (values) while (reader.takeMark(",")) when.push(readWhen(reader));
  reader.expectWord("THEN");
  return { kind: "alternative", when, then: reader.rules.expression(reader), at };
};

const readWhen = (reader: Reader): Expression => {
  const { token } = reader;
  const test =
    (token.kind === "mark" && comparingTests.has(token.mark)) ||
    (token.kind === "name" && testWords.has(token.word));
  if (test) reader.refuse("WHEN takes a value or a whole condition; write CASE WHEN x > 1 THEN …");
  return reader.rules.expression(reader);
};

const shortestPaths = new Set(["shortestpath", "allshortestpaths"]);

/** Whether a name, dotted perhaps, and an opening parenthesis begin here. */
const isFunctionAt = (reader: Reader): boolean => reader.isMark("(", nameTokens(reader));

/** How many tokens the dotted name here has. */
const nameTokens = (reader: Reader): number => {
  let count = 1;
  while (reader.isMark(".", count) && reader.ahead(count + 1).kind === "name") count += 2;
  return count;
};

/** Reads a call of an allowed function; an unknown one and a wrong number of arguments are noted. */
const readFunction = (reader: Reader): Expression => {
  const { at } = reader.token;
  const parts = [reader.expectName().name];
  while (reader.takeMark(".")) parts.push(reader.expectName().name);
  const written = parts.join(".");
  const name = written.toLowerCase();
  const signature = functions.get(name);
  if (shortestPaths.has(name)) reader.refuse(shortestPathRefusal, at);
  if (signature === undefined) reader.note(`function ${written} is not allowed`, at);
  else if (signature.aggregate && !reader.aggregates) {
    reader.note(`aggregating function ${written} is not allowed here`, at);
  }

  reader.expectMark("(");
  if (name === "count" && reader.takeMark("*")) {
    reader.expectMark(")");
    return { kind: "function", name, distinct: false, star: true, args: [], at };
  }
  const distinct = takeDistinct(reader);
  const args = readArguments(reader, signature);
  if (signature !== undefined) checkCall(reader, written, signature, { distinct, args, at });
  return { kind: "function", name, distinct, star: false, args, at };
};

/** The keyword, and not a variable of that name. */
const takeDistinct = (reader: Reader): boolean => {
  const next = reader.ahead(1);
  const plain = next.kind === "mark" && [")", ",", "."].includes(next.mark);
  return !plain && reader.takeWord("DISTINCT");
};

const readArguments = (reader: Reader, signature: Signature | undefined): readonly Expression[] => {
  const args: Expression[] = [];
  const { aggregates } = reader;
  if (signature?.aggregate === true) reader.aggregates = false;
  if (!reader.isMark(")")) {
    do {
      args.push(reader.rules.expression(reader));
    } while (reader.takeMark(","));
  }
  reader.aggregates = aggregates;
  reader.expectMark(")");
  return args;
};

const checkCall = (
  reader: Reader,
  written: string,
  signature: Signature,
  { distinct, args, at }: Pick<FunctionCall, "distinct" | "args" | "at">,
): void => {
  if (distinct && !signature.aggregate) reader.note(`function ${written} does not take DISTINCT`, at);
  if (args.length < signature.least || args.length > signature.most) {
    reader.note(`function ${written} takes ${arity(signature)}, not ${args.length}`, at);
  }
  // The database plans no such text, however the subquery is meant.
  if (signature.aggregate && args.some(aggregatesWithin)) {
    reader.note(
      `aggregating function ${written} takes no subquery that aggregates; name its value in a WITH before`,
      at,
    );
  }
};

/** True when a subquery of the expression aggregates; an aggregate beside it is refused by itself. */
const aggregatesWithin = (expression: Node): boolean =>
  expression.kind === "exists" || expression.kind === "count"
    ? holdsAggregate(expression)
    : childrenOf(expression).some(aggregatesWithin);

const arity = ({ least, most }: Signature): string => {
  if (most === Infinity) return `at least ${least} argument${least === 1 ? "" : "s"}`;
  return least === most ? `${least} argument${least === 1 ? "" : "s"}` : `${least} to ${most} arguments`;
};

/** Reads one operand, without what may be hung on it. */
export const readPrimary = (reader: Reader): Expression => {
  const { token } = reader;
  const { at } = token;
  switch (token.kind) {
    case "string":
      reader.index += 1;
      return { kind: "string", value: token.value, at };
    case "integer":
      reader.index += 1;
      return { kind: "integer", value: token.value, at };
    case "float":
      reader.index += 1;
      return { kind: "float", value: token.value, at };
    case "name":
      return readNamed(reader, token);
    case "mark":
      return readMarked(reader, token.mark);
    case "end":
      return reader.unexpected();
  }
};

const readMarked = (reader: Reader, mark: string): Expression => {
  switch (mark) {
    case "(":
      return readParenthesis(reader);
    case "[":
      return readBracketed(reader);
    case "{":
      return readMap(reader);
    case "$":
      return readParameter(reader);
    default:
      return reader.unexpected();
  }
};

const readParenthesis = (reader: Reader): Expression => {
  const { at } = reader.token;
  if (isPatternAt(reader, reader.index))
    return { kind: "pattern-predicate", pattern: reader.rules.path(reader), at };
  reader.expectMark("(");
  const inner = reader.rules.expression(reader);
  reader.expectMark(")");
  return inner;
};

const readParameter = (reader: Reader): Expression => {
  const { at } = reader.expectMark("$");
  const { token } = reader;
  if (token.kind !== "name" && token.kind !== "integer") return reader.unexpected();
  reader.index += 1;
  return { kind: "parameter", name: token.kind === "name" ? token.name : String(token.value), at };
};

/** Words that are never a variable where an operand stands, unless in back-quotes. */
const notOperands = new Set(["NOT", "INF", "INFINITY", "NAN"]);

const readNamed = (reader: Reader, token: NameToken): Expression => {
  const { at, word } = token;
  if (notOperands.has(word)) return reader.unexpected();
  if (word === "TRUE" || word === "FALSE" || word === "NULL") {
    reader.index += 1;
    return word === "NULL" ? { kind: "null", at } : { kind: "boolean", value: word === "TRUE", at };
  }
  if (isCaseAt(reader)) return readCase(reader);
  if (reader.isMark("{", 1)) return readBraced(reader, token);
  if (isFoldAt(reader)) return readFold(reader);
  if (isFunctionAt(reader)) return readFunction(reader);
  reader.index += 1;
  return { kind: "variable", name: token.name, at };
};

const readBraced = (reader: Reader, { word, at }: NameToken): Expression => {
  if (word === "COLLECT") {
    return reader.refuse("COLLECT { } is not allowed; write collect() in a WITH, or a pattern comprehension");
  }
  if (word !== "EXISTS" && word !== "COUNT")
    return reader.refuse("map projections are not allowed; write single keys");
  reader.index += 2;
  const body = reader.rules.subquery(reader, word);
  reader.expectMark("}");
  return word === "EXISTS" ? { kind: "exists", body, at } : { kind: "count", body, at };
};
