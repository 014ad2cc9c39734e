import type {
  UseClause,
  CallClause,
  Clause,
  MatchClause,
  Query,
  UnwindClause,
  WithClause,
  PatternBody,
  SubqueryBody,
} from "../ast.ts";
import { holdsAggregate } from "../functions.ts";
import { present } from "../walk.ts";
import { readPatterns } from "./patterns.ts";
import { type Projection, readProjection } from "./projections.ts";
import {
  useArgumentRefusal,
  useRefusal,
  type Reader,
  clauseWords,
  forbiddenClauses,
  hintRefusal,
  Refusal,
  skipClause,
} from "./reader.ts";

/** Reads `USE graph.byName(argument)`. */
const readUse = (reader: Reader, first: boolean): UseClause => {
  const { at } = reader.expectWord("USE");
  // A subquery of an expression runs where the text around it does, a CALL inside it too.
  if (!reader.allowed.use || reader.subqueries > 0) return reader.refuse(useRefusal, at);
  if (!first) return reader.refuse("USE must be the first clause of its query", at);
  if (!isByName(reader)) return reader.refuse("USE takes graph.byName and nothing else", at);
  reader.index += 4;
  const argument = readArgument(reader);
  if (!reader.takeMark(")")) return reader.refuse(useArgumentRefusal, argument.at);
  return { kind: "use", argument, at };
};

const isByName = (reader: Reader): boolean =>
  reader.isWord("GRAPH") && reader.isMark(".", 1) && reader.isWord("BYNAME", 2) && reader.isMark("(", 3);

const readArgument = (reader: Reader): UseClause["argument"] => {
  const { token } = reader;
  const { at } = token;
  if (token.kind === "string") {
    reader.index += 1;
    return { kind: "string", value: token.value, at };
  }
  const name = reader.ahead(1);
  if (!reader.isMark("$") || name.kind !== "name") return reader.refuse(useArgumentRefusal);
  reader.index += 2;
  return { kind: "parameter", name: name.name, at };
};

/** Deepest nesting of `CALL { }`. */
export const deepestCalls = 3;

/** Reads `CALL { … }`, `CALL (a, b) { … }`, `CALL (*) { … }`; a procedure call and batches are forbidden clauses. */
const readCall = (reader: Reader): CallClause | "forbidden" => {
  const { at } = reader.expectWord("CALL");
  if (!reader.allowed.call || !(reader.isMark("{") || reader.isMark("("))) {
    reader.forbid("CALL", at);
    return "forbidden";
  }
  if (reader.calls === deepestCalls)
    reader.refuse(`CALL nested deeper than ${deepestCalls} is not allowed`, at);
  const imports = reader.isMark("(") ? readImports(reader) : "importing-with";
  reader.expectMark("{");
  reader.calls += 1;
  const body = reader.rules.callBody(reader);
  reader.calls -= 1;
  reader.expectMark("}");
  if (reader.isWord("IN")) {
    reader.forbid("CALL", at);
    return "forbidden";
  }
  return { kind: "call", imports, body, at };
};

const readImports = (reader: Reader): "all" | readonly string[] => {
  reader.expectMark("(");
  if (reader.takeMark("*")) {
    reader.expectMark(")");
    return "all";
  }
  const names: string[] = [];
  if (!reader.isMark(")")) {
    do {
      names.push(reader.expectName().name);
    } while (reader.takeMark(","));
  }
  reader.expectMark(")");
  return names;
};

/**
 * RETURN in a body of EXISTS or COUNT is accepted and means nothing. Where the database would give it a meaning
 * (it decides how many rows there are), it is refused instead of read differently.
 */
const checkDropped = (reader: Reader, of: "EXISTS" | "COUNT", projection: Projection, at: number): void => {
  const distinct = projection.distinct && of === "COUNT";
  const cut = projection.skip !== undefined || projection.limit !== undefined;
  if (distinct || cut || projection.items.some(holdsAggregate)) {
    reader.note(
      `RETURN in ${of} { } takes plain values; write DISTINCT, SKIP, LIMIT and aggregates in a WITH`,
      at,
    );
  }
};

/** Where a list of clauses stands: it decides about RETURN. */
type Place = "top" | "CALL" | "EXISTS" | "COUNT";

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
  const { index, aggregates, cases, calls, subqueries } = reader;
  let clause: Clause | NoClause = "forbidden";
  try {
    reader.aggregates = false;
    clause = read();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    reader.note(error.message, error.at);
  }
  Object.assign(reader, { aggregates, cases, calls, subqueries });
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

/** Reads what stands in the braces of EXISTS and COUNT: clauses, or patterns and perhaps a WHERE. */
export const readSubquery = (reader: Reader, of: "EXISTS" | "COUNT"): SubqueryBody => {
  const { token } = reader;
  const clauses = token.kind === "name" && clauseWords.has(token.word) && !reader.isMark("=", 1);
  reader.subqueries += 1;
  const body = clauses || reader.isMark("}") ? readQuery(reader, of) : readPatternBody(reader);
  reader.subqueries -= 1;
  return body;
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
