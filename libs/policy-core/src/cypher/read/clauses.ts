import { omitUndefined } from "@ikg/contracts/values";
import type {
  CallClause,
  Clause,
  Expression,
  MatchClause,
  PatternBody,
  ProjectionItem,
  Query,
  SortItem,
  SubqueryBody,
  UnusedReturn,
  UnwindClause,
  UseClause,
  WithClause,
} from "../ast.ts";
import { holdsAggregate } from "../functions.ts";
import { clauseWords, forbiddenClauses, skipClause } from "./clause-words.ts";
import { readExpression } from "./expressions.ts";
import { hintRefusal, ParseError, type ParserState, useArgumentRefusal, useRefusal } from "./parser-state.ts";
import { readPatterns } from "./patterns.ts";

/** The context of a list of clauses: it decides about RETURN. */
type ClauseContext = "top" | "CALL" | "EXISTS" | "COUNT";

/** A RETURN that means nothing, or a clause that was recorded as forbidden. */
type NoClause = UnusedReturn | "forbidden";

/**
 * Reads clauses up to the end of the text or to a closing brace. A clause that is refused is noted and left
 * out, and parsing continues with the next, so that all faults are reported together.
 */
export const readQuery = (state: ParserState, context: ClauseContext): Query => {
  const { at } = state.token;
  if (atEnd(state)) state.unexpected();
  const clauses: Clause[] = [];
  let unusedReturn: UnusedReturn | undefined;
  let ended = false;
  for (let first = true; !atEnd(state); first = false) {
    // A UNION is refused by name, and what it joins is read like a text of its own.
    if (state.isWord("UNION")) ended = false;
    const clause = attempt(state, () => (ended ? state.unexpected() : readClause(state, context, first)));
    if (clause === "forbidden") continue;
    if (clause.kind === "unused-return") unusedReturn = clause;
    else clauses.push(clause);
    ended = clause.kind === "unused-return" || clause.kind === "return";
  }
  if (context === "CALL" && !ended) state.note("CALL { } needs a RETURN at its end", at);
  return { kind: "query", clauses, ...omitUndefined({ unusedReturn }), at };
};

const atEnd = (state: ParserState): boolean => state.token.kind === "end" || state.isMark("}");

/** Reads one clause; one that is refused is skipped, with whatever was begun inside it. */
const attempt = (state: ParserState, read: () => Clause | NoClause): Clause | NoClause => {
  const { index, aggregates, cases, calls, subqueries } = state;
  let clause: Clause | NoClause = "forbidden";
  try {
    state.aggregates = false;
    clause = read();
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    state.note(error.message, error.at);
  }
  Object.assign(state, { aggregates, cases, calls, subqueries });
  if (clause === "forbidden") {
    state.whole = false;
    if (!state.stopWhenFull()) skipClause(state, index);
  }
  return clause;
};

const readClause = (state: ParserState, context: ClauseContext, first: boolean): Clause | NoClause => {
  const { token } = state;
  if (token.kind !== "name")
    return state.isMark(";") ? state.refuse('";" is not allowed') : state.unexpected();
  switch (token.word) {
    case "MATCH":
    case "OPTIONAL":
      return readMatch(state);
    case "WITH":
      return readWith(state);
    case "UNWIND":
      return readUnwind(state);
    case "USE":
      return readUse(state, first);
    case "CALL":
      return readCall(state);
    case "RETURN":
      return readReturn(state, context, first);
    default:
      return refuseClause(state, token.word);
  }
};

const refuseClause = (state: ParserState, word: string): NoClause => {
  const { at } = state.token;
  if (word === "USING") return state.refuse(hintRefusal);
  if (!forbiddenClauses.has(word)) {
    return clauseWords.has(word) ? state.refuse(`${word} is not allowed`) : state.unexpected();
  }
  state.forbid(word === "LOAD" && state.isWord("CSV", 1) ? "LOAD CSV" : word, at);
  if (state.isWord("DELETE", 1)) state.forbid("DELETE", at);
  return "forbidden";
};

const readMatch = (state: ParserState): MatchClause => {
  const { at } = state.token;
  const optional = state.takeWord("OPTIONAL");
  if (optional && state.isWord("CALL")) state.refuse("OPTIONAL CALL is not allowed", at);
  state.expectWord("MATCH");
  const patterns = readPatterns(state);
  const where = state.where();
  return { kind: "match", optional, patterns, ...omitUndefined({ where }), at };
};

const readWith = (state: ParserState): WithClause => {
  const { at } = state.expectWord("WITH");
  const projection = readProjection(state, "WITH");
  const where = state.where();
  return { kind: "with", ...projection, ...omitUndefined({ where }), at };
};

const readUnwind = (state: ParserState): UnwindClause => {
  const { at } = state.expectWord("UNWIND");
  const expression = readExpression(state);
  state.expectWord("AS");
  return { kind: "unwind", expression, alias: state.expectName().name, at };
};

const readReturn = (state: ParserState, context: ClauseContext, first: boolean): Clause | NoClause => {
  const { at } = state.token;
  if (context === "top") {
    state.forbid("RETURN", at);
    return "forbidden";
  }
  // A body of RETURN alone would be printed as none.
  if (first && context !== "CALL") return state.unexpected();
  state.expectWord("RETURN");
  if (context === "CALL") return { kind: "return", ...readProjection(state, "RETURN"), at };
  const projection = readProjection(state, undefined);
  checkUnused(state, context, projection, at);
  const { items, orderBy } = projection;
  return { kind: "unused-return", items, orderBy };
};

/**
 * RETURN in a body of EXISTS or COUNT is accepted and means nothing. Where the database would give it a meaning
 * (it decides how many rows there are), it is refused instead of read differently.
 */
const checkUnused = (
  state: ParserState,
  of: "EXISTS" | "COUNT",
  projection: Projection,
  at: number,
): void => {
  const distinct = projection.distinct && of === "COUNT";
  const cut = projection.skip !== undefined || projection.limit !== undefined;
  if (distinct || cut || projection.items.some(holdsAggregate)) {
    state.note(
      `RETURN in ${of} { } takes plain values; write DISTINCT, SKIP, LIMIT and aggregates in a WITH`,
      at,
    );
  }
};

/** What WITH and RETURN have in common. */
interface Projection {
  readonly distinct: boolean;
  readonly star: boolean;
  readonly items: readonly ProjectionItem[];
  readonly orderBy: readonly SortItem[];
  readonly skip?: Expression;
  readonly limit?: Expression;
}

/**
 * Reads `DISTINCT *, item, … ORDER BY … SKIP … LIMIT …`.
 *
 * @param clause its name when every expression but a plain variable needs `AS`; undefined where names do not matter
 */
const readProjection = (state: ParserState, clause: "WITH" | "RETURN" | undefined): Projection => {
  const { aggregates } = state;
  state.aggregates = true;
  const distinct = state.takeWord("DISTINCT");
  const star = state.takeMark("*");
  const items = !star || state.takeMark(",") ? state.commaSeparated(() => readItem(state, clause)) : [];
  const orderBy = readOrder(state);
  state.aggregates = false;
  const skip = state.takeWord("SKIP") || state.takeWord("OFFSET") ? readExpression(state) : undefined;
  const limit = state.takeWord("LIMIT") ? readExpression(state) : undefined;
  state.aggregates = aggregates;
  return { distinct, star, items, orderBy, ...omitUndefined({ skip, limit }) };
};

const readItem = (state: ParserState, clause: "WITH" | "RETURN" | undefined): ProjectionItem => {
  const { at } = state.token;
  const expression = readExpression(state);
  if (state.takeWord("AS")) return { kind: "item", expression, alias: state.expectName().name, at };
  if (clause !== undefined && expression.kind !== "variable") {
    state.note(`an expression in ${clause} needs AS and a name`, at);
  }
  return { kind: "item", expression, at };
};

const readOrder = (state: ParserState): readonly SortItem[] => {
  if (!state.takeWord("ORDER")) return [];
  state.expectWord("BY");
  return state.commaSeparated(() => readSort(state));
};

const readSort = (state: ParserState): SortItem => {
  const { at } = state.token;
  const expression = readExpression(state);
  const descending = state.takeWord("DESC") || state.takeWord("DESCENDING");
  if (!descending && !state.takeWord("ASC")) state.takeWord("ASCENDING");
  return { kind: "sort", expression, descending, at };
};

/** Reads `USE graph.byName(argument)`. */
const readUse = (state: ParserState, first: boolean): UseClause => {
  const { at } = state.expectWord("USE");
  // A subquery of an expression runs where the text around it does, a CALL inside it too.
  if (!state.allowed.use || state.subqueries > 0) return state.refuse(useRefusal, at);
  if (!first) return state.refuse("USE must be the first clause of its query", at);
  if (!isByName(state)) return state.refuse("USE takes graph.byName and nothing else", at);
  state.index += 4;
  const argument = readArgument(state);
  if (!state.takeMark(")")) return state.refuse(useArgumentRefusal, argument.at);
  return { kind: "use", argument, at };
};

const isByName = (state: ParserState): boolean =>
  state.isWord("GRAPH") && state.isMark(".", 1) && state.isWord("BYNAME", 2) && state.isMark("(", 3);

const readArgument = (state: ParserState): UseClause["argument"] => {
  const { token } = state;
  const { at } = token;
  if (token.kind === "string") {
    state.index += 1;
    return { kind: "string", value: token.value, at };
  }
  const name = state.ahead(1);
  if (!state.isMark("$") || name.kind !== "name") return state.refuse(useArgumentRefusal);
  state.index += 2;
  return { kind: "parameter", name: name.name, at };
};

/** Limit of nested `CALL { }`. */
export const maxCallDepth = 3;

/** Reads `CALL { … }`, `CALL (a, b) { … }`, `CALL (*) { … }`; a procedure call and batches are forbidden clauses. */
const readCall = (state: ParserState): CallClause | "forbidden" => {
  const { at } = state.expectWord("CALL");
  if (!state.allowed.call || !(state.isMark("{") || state.isMark("("))) {
    state.forbid("CALL", at);
    return "forbidden";
  }
  if (state.calls === maxCallDepth)
    state.refuse(`CALL nested deeper than ${maxCallDepth} is not allowed`, at);
  const imports = state.isMark("(") ? readImports(state) : "importing-with";
  state.expectMark("{");
  state.calls += 1;
  const body = readQuery(state, "CALL");
  state.calls -= 1;
  state.expectMark("}");
  if (state.isWord("IN")) {
    state.forbid("CALL", at);
    return "forbidden";
  }
  return { kind: "call", imports, body, at };
};

const readImports = (state: ParserState): "all" | readonly string[] => {
  state.expectMark("(");
  if (state.takeMark("*")) {
    state.expectMark(")");
    return "all";
  }
  const names = state.isMark(")") ? [] : state.commaSeparated(() => state.expectName().name);
  state.expectMark(")");
  return names;
};

/** Reads the braces of EXISTS and COUNT: clauses, or patterns and perhaps a WHERE. */
export const readSubquery = (state: ParserState, of: "EXISTS" | "COUNT"): SubqueryBody => {
  const { token } = state;
  const clauses = token.kind === "name" && clauseWords.has(token.word) && !state.isMark("=", 1);
  state.subqueries += 1;
  const body = clauses || state.isMark("}") ? readQuery(state, of) : readPatternBody(state);
  state.subqueries -= 1;
  return body;
};

const readPatternBody = (state: ParserState): PatternBody => {
  const { at } = state.token;
  const { aggregates } = state;
  state.aggregates = false;
  const patterns = readPatterns(state);
  const where = state.where();
  state.aggregates = aggregates;
  return { kind: "pattern-body", patterns, ...omitUndefined({ where }), at };
};
