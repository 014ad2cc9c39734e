import { clauseWords, forbiddenClauses } from "./clause-words.ts";
import { hintRefusal, useRefusal } from "./refusals.ts";
import { Refusal } from "./reader.ts";
import { checkDropped } from "./subquery-return.ts";
import { present } from "../present.ts";
import { readCall } from "./call.ts";
import { readPatterns } from "./patterns.ts";
import { readProjection } from "./projections.ts";
import { readUse } from "./use.ts";
import { skipClause } from "./recovery.ts";
import type { Clause, MatchClause, Query, UnwindClause, WithClause } from "../ast.ts";
import type { Reader } from "./reader.ts";

/** Where a list of clauses stands: it decides about RETURN and USE. */
export type Place = "top" | "CALL" | "EXISTS" | "COUNT";

/** A RETURN that means nothing, or a clause that was recorded as forbidden. */
type NoClause = "dropped" | "forbidden";

/**
 * Reads clauses up to the end of the text or to a closing brace. A clause that is refused is noted and left
 * out, and reading goes on with the next, so that all faults are reported together.
 */
export const readQuery = (reader: Reader, place: Place): Query => {
  const { at } = reader.token;
  if (atEnd(reader)) reader.unexpected();
  const clauses: Clause[] = [];
  let ended = false;
  for (let first = true; !atEnd(reader); first = false) {
    // A UNION is refused by name, and what it joins is read like a text of its own.
    if (reader.isWord("UNION")) ended = false;
    const clause = attempt(reader, () => (ended ? reader.unexpected() : readClause(reader, place, first)));
    if (clause === "dropped") ended = true;
    else if (clause !== "forbidden") {
      clauses.push(clause);
      ended = clause.kind === "return";
    }
  }
  if (place === "CALL" && !ended) reader.note("CALL { } needs a RETURN at its end", at);
  return { kind: "query", clauses, at };
};

const atEnd = (reader: Reader): boolean => reader.token.kind === "end" || reader.isMark("}");

/** Reads one clause; one that is refused is skipped, with whatever was begun inside it. */
const attempt = (reader: Reader, read: () => Clause | NoClause): Clause | NoClause => {
  const { index, aggregates, cases, calls } = reader;
  let clause: Clause | NoClause = "forbidden";
  try {
    reader.aggregates = false;
    clause = read();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    reader.note(error.message, error.at);
  }
  Object.assign(reader, { aggregates, cases, calls });
  if (clause === "forbidden") {
    reader.whole = false;
    if (!reader.stopWhenFull()) skipClause(reader, index);
  }
  return clause;
};

const readClause = (reader: Reader, place: Place, first: boolean): Clause | NoClause => {
  const { token } = reader;
  if (token.kind !== "name")
    return reader.isMark(";") ? reader.refuse('";" is not allowed') : reader.unexpected();
  switch (token.word) {
    case "MATCH":
    case "OPTIONAL":
      return readMatch(reader);
    case "WITH":
      return readWith(reader);
    case "UNWIND":
      return readUnwind(reader);
    case "USE":
      if (place === "EXISTS" || place === "COUNT") return reader.refuse(useRefusal);
      return readUse(reader, first);
    case "CALL":
      return readCall(reader);
    case "RETURN":
      return readReturn(reader, place, first);
    default:
      return refuseClause(reader, token.word);
  }
};

const refuseClause = (reader: Reader, word: string): NoClause => {
  const { at } = reader.token;
  if (word === "USING") return reader.refuse(hintRefusal);
  if (!forbiddenClauses.has(word)) {
    return clauseWords.has(word) ? reader.refuse(`${word} is not allowed`) : reader.unexpected();
  }
  reader.forbid(word === "LOAD" && reader.isWord("CSV", 1) ? "LOAD CSV" : word, at);
  if (reader.isWord("DELETE", 1)) reader.forbid("DELETE", at);
  return "forbidden";
};

const readMatch = (reader: Reader): MatchClause => {
  const { at } = reader.token;
  const optional = reader.takeWord("OPTIONAL");
  if (optional && reader.isWord("CALL")) reader.refuse("OPTIONAL CALL is not allowed", at);
  reader.expectWord("MATCH");
  const patterns = readPatterns(reader);
  const where = reader.takeWord("WHERE") ? reader.rules.expression(reader) : undefined;
  return { kind: "match", optional, patterns, ...present({ where }), at };
};

const readWith = (reader: Reader): WithClause => {
  const { at } = reader.expectWord("WITH");
  const projection = readProjection(reader, "WITH");
  const where = reader.takeWord("WHERE") ? reader.rules.expression(reader) : undefined;
  return { kind: "with", ...projection, ...present({ where }), at };
};

const readUnwind = (reader: Reader): UnwindClause => {
  const { at } = reader.expectWord("UNWIND");
  const expression = reader.rules.expression(reader);
  reader.expectWord("AS");
  return { kind: "unwind", expression, alias: reader.expectName().name, at };
};

const readReturn = (reader: Reader, place: Place, first: boolean): Clause | NoClause => {
  const { at } = reader.token;
  if (place === "top") {
    reader.forbid("RETURN", at);
    return "forbidden";
  }
  // A body of RETURN alone would be printed as none.
  if (first && place !== "CALL") return reader.unexpected();
  reader.expectWord("RETURN");
  if (place === "CALL") return { kind: "return", ...readProjection(reader, "RETURN"), at };
  checkDropped(reader, place, readProjection(reader, undefined), at);
  return "dropped";
};
