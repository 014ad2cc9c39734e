import type { Token } from "../lex/token.ts";
import { operatorWords } from "../operators.ts";
import type { ParserState } from "./parser-state.ts";

/** Clauses that the language has, in one version or another. */
const known = ["MATCH", "OPTIONAL", "WITH", "UNWIND", "USE", "CALL", "RETURN"];

/** Clauses that change or load something, or end the text: listed by name when found. */
const changing = [
  ...["CREATE", "INSERT", "MERGE", "SET", "REMOVE", "DELETE", "DETACH", "NODETACH"],
  ...["FOREACH", "LOAD", "FINISH"],
];

/** Schema and server commands: listed as well. */
const commands = [
  ...["DROP", "ALTER", "RENAME", "GRANT", "DENY", "REVOKE", "TERMINATE", "START", "STOP", "ENABLE"],
];

/** Prefixes, connectives and clauses of later language versions: refused one by one. */
const unsupported = [
  ...["UNION", "EXPLAIN", "PROFILE", "CYPHER", "SHOW", "USING"],
  ...["LET", "FILTER", "FOR", "NEXT", "WHEN", "SEARCH", "DEFINE", "ORDER", "SKIP", "OFFSET", "LIMIT"],
];

export const forbiddenClauses: ReadonlySet<string> = new Set([...changing, ...commands]);

/** Every word that begins a clause somewhere. */
export const clauseWords: ReadonlySet<string> = new Set([...known, ...changing, ...commands, ...unsupported]);

/** Where parsing resumes after a refusal: words that are hardly ever anything else. */
const resumingWords: ReadonlySet<string> = new Set([...known, ...changing, "UNION", "DROP"]);

/** Words that an operand or a name follows, so that the next word begins no clause. */
const prefixWords = new Set([
  ...operatorWords,
  ...["AS", "NOT", "WITH", "BY", "WHERE", "DISTINCT", "OPTIONAL", "ON", "CSV", "SET", "REMOVE", "DELETE"],
]);

/**
 * Skips from the refused clause that begins at `start` to the next word that begins a clause, so that the other
 * faults of the text are found too. Brackets are skipped whole. A wrong guess lets nothing through: the text is
 * refused already.
 */
export const skipClause = (state: ParserState, start: number): void => {
  state.index = nextIndex(state, start);
  for (;;) {
    const { token } = state;
    if (token.kind === "end" || (token.kind === "mark" && token.mark === "}")) return;
    if (isClauseStart(state)) return;
    state.index = nextIndex(state, state.index);
  }
};

const nextIndex = (state: ParserState, index: number): number => {
  const token = state.tokenAt(index);
  if (token.kind === "end") return index;
  return token.kind === "mark" && token.partner > index ? token.partner + 1 : index + 1;
};

const isClauseStart = (state: ParserState): boolean => {
  const { token } = state;
  if (token.kind !== "name" || !resumingWords.has(token.word)) return false;
  const before = state.tokenAt(state.index - 1);
  const next = state.ahead(1);
  if (next.kind === "mark" && [".", "=", ":", ","].includes(next.mark)) return false;
  return endsOperand(before);
};

const endsOperand = (token: Token): boolean => {
  if (token.kind === "name") return !prefixWords.has(token.word);
  return token.kind === "mark" ? [")", "]", "}", "*", ";", "%"].includes(token.mark) : true;
};
