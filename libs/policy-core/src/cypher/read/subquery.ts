import { clauseWords } from "./clause-words.ts";
import { present } from "../present.ts";
import { readPatterns } from "./patterns.ts";
import { readQuery } from "./clauses.ts";
import type { PatternBody, SubqueryBody } from "../ast.ts";
import type { Reader } from "./reader.ts";

/** Reads what stands in the braces of EXISTS and COUNT: clauses, or patterns and perhaps a WHERE. */
export const readSubquery = (reader: Reader, of: "EXISTS" | "COUNT"): SubqueryBody => {
  const { token } = reader;
  const clauses = token.kind === "name" && clauseWords.has(token.word) && !reader.isMark("=", 1);
  return clauses || reader.isMark("}") ? readQuery(reader, of) : readPatternBody(reader);
};

const readPatternBody = (reader: Reader): PatternBody => {
  const { at } = reader.token;
  const { aggregates } = reader;
  reader.aggregates = false;
  const patterns = readPatterns(reader);
  const where = reader.takeWord("WHERE") ? reader.rules.expression(reader) : undefined;
  reader.aggregates = aggregates;
  return { kind: "pattern-body", patterns, ...present({ where }), at };
};
