import { deepestNesting } from "../lex/brackets.ts";
import { present } from "../present.ts";
import type { Case, CaseAlternative, Expression } from "../ast.ts";
import type { Reader } from "./reader.ts";

const comparingTests = new Set(["=", "<>", "<", "<=", ">", ">=", "=~"]);
const testWords = new Set(["STARTS", "ENDS", "IS"]);

/** Whether the word CASE here begins a CASE and is not a variable of that name. */
export const isCaseAt = (reader: Reader): boolean => {
  if (!reader.isWord("CASE")) return false;
  const next = reader.ahead(1);
  return next.kind === "mark" ? ["(", "[", "{", "$", "-", "+"].includes(next.mark) : next.kind !== "end";
};

/** Reads `CASE WHEN c THEN r … END` and `CASE s WHEN v, w THEN r … END`. */
export const readCase = (reader: Reader): Case => {
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
