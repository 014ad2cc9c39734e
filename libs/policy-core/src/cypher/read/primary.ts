import { isPatternAt } from "./pattern-shape.ts";
import { isFunctionAt, readFunction } from "./function-call.ts";
import { readBracketed } from "./lists.ts";
import { isCaseAt, readCase } from "./case.ts";
import { isFoldAt, readFold } from "./folds.ts";
import { readMap } from "./maps.ts";
import type { Expression } from "../ast.ts";
import type { Reader } from "./reader.ts";
import type { NameToken } from "../lex/token.ts";

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
