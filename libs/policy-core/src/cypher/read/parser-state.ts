import type { Expression, PathPattern, Query, SubqueryBody } from "../ast.ts";
import { diagnosticAt, type Diagnostic } from "../diagnostic.ts";
import type { MarkToken, NameToken, Token } from "../lex/token.ts";

/** Texts for forms that exist in the database and not here; each names the form to write instead. */

export const quantifiedPathRefusal = "quantified path patterns are not allowed; write -[:TYPE*1..3]->";
export const shortestPathRefusal = "shortest paths are not allowed; write a bounded path, -[:TYPE*1..3]->";
export const useRefusal = "USE clause is not allowed";
export const useArgumentRefusal = "graph.byName argument must be a string literal or one parameter";
export const hintRefusal = "planner hints are not allowed";

/** Clauses that the language has, in one version or another. */
const known = ["MATCH", "OPTIONAL", "WITH", "UNWIND", "USE", "CALL", "RETURN"];

/** Clauses that change or load something, or end the text: listed by name when found. */
const changing = [
  ...[
    "CREATE",
    "INSERT",
    "MERGE",
    "SET",
    "REMOVE",
    "DELETE",
    "DETACH",
    "NODETACH",
    "FOREACH",
    "LOAD",
    "FINISH",
  ],
];

/** Schema and server commands: listed as well. */
const commands = [
  "DROP",
  "ALTER",
  "RENAME",
  "GRANT",
  "DENY",
  "REVOKE",
  "TERMINATE",
  "START",
  "STOP",
  "ENABLE",
];

/** Prefixes, joints and clauses of later language versions: refused one by one. */
const others = [
  ...["UNION", "EXPLAIN", "PROFILE", "CYPHER", "SHOW", "USING"],
  ...["LET", "FILTER", "FOR", "NEXT", "WHEN", "SEARCH", "DEFINE", "ORDER", "SKIP", "OFFSET", "LIMIT"],
];

export const forbiddenClauses: ReadonlySet<string> = new Set([...changing, ...commands]);

/** Every word that begins a clause somewhere. */
export const clauseWords: ReadonlySet<string> = new Set([...known, ...changing, ...commands, ...others]);

/** Where reading goes on after a refusal: words that are hardly ever anything else. */
const resumingWords: ReadonlySet<string> = new Set([...known, ...changing, "UNION", "DROP"]);

/** What differs between the versions of the language. */
export interface Allowed {
  /** `USE graph.byName(…)`. */
  readonly use: boolean;
  /** `CALL { … }`. */
  readonly call: boolean;
}

/** The rules that call each other across files; the parser ties them together. */
export interface ParserOptions {
  expression(state: ParserState): Expression;
  path(state: ParserState): PathPattern;
  subquery(state: ParserState, of: "EXISTS" | "COUNT"): SubqueryBody;
  callBody(state: ParserState): Query;
}

/** Leaves the clause that is being read; caught where clauses are read, never seen outside this folder. */
export class ParseError extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** More than these help nobody; reading stops. */
export const mostFaults = 50;
const longestShown = 40;

/** The place in the token list, what was found wrong so far, and where the reader stands in the nesting. */
export class ParserState {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly allowed: Allowed;
  readonly rules: ParserOptions;
  /** Index of the next token. */
  index = 0;
  /** Clauses of the text that no version allows here, in order of appearance. */
  readonly forbidden = new Map<string, number>();
  /** Indexes of `|` that belong to a comprehension and not to a label expression. */
  readonly comprehensionBars = new Set<number>();
  /** Whether an aggregating function may stand here. */
  aggregates = false;
  /** How many `CASE` are open. */
  cases = 0;
  /** How many `CALL { }` are open. */
  calls = 0;
  /** How many `EXISTS { }` and `COUNT { }` are open. */
  subqueries = 0;
  /** Whether every clause of the text is in the tree. */
  whole = true;
  readonly #messages: { readonly message: string; readonly at: number }[] = [];

  constructor(text: string, tokens: readonly Token[], allowed: Allowed, rules: ParserOptions) {
    this.text = text;
    this.tokens = tokens;
    this.allowed = allowed;
    this.rules = rules;
  }

  get token(): Token {
    return this.ahead(0);
  }

  /** The token `count` places further on; the end stays the end. */
  ahead(count: number): Token {
    return this.tokenAt(this.index + count);
  }

  tokenAt(index: number): Token {
    const token = this.tokens[Math.min(index, this.tokens.length - 1)];
    if (token === undefined) throw new Error("a token list ends with the end token");
    return token;
  }

  isMark(mark: string, count = 0): boolean {
    const token = this.ahead(count);
    return token.kind === "mark" && token.mark === mark;
  }

  /** Whether a keyword stands here; a name in back-quotes never is one. */
  isWord(word: string, count = 0): boolean {
    const token = this.ahead(count);
    return token.kind === "name" && token.word === word;
  }

  takeMark(mark: string): boolean {
    if (!this.isMark(mark)) return false;
    this.index += 1;
    return true;
  }

  takeWord(word: string): boolean {
    if (!this.isWord(word)) return false;
    this.index += 1;
    return true;
  }

  expectMark(mark: string): MarkToken {
    const token = this.token;
    if (token.kind !== "mark" || token.mark !== mark) return this.unexpected();
    this.index += 1;
    return token;
  }

  expectWord(word: string): NameToken {
    const token = this.token;
    if (token.kind !== "name" || token.word !== word) return this.unexpected();
    this.index += 1;
    return token;
  }

  expectName(): NameToken {
    const token = this.token;
    if (token.kind !== "name") return this.unexpected();
    this.index += 1;
    return token;
  }

  /** Reads an expression that is evaluated per element of a list, where an aggregate has no meaning. */
  perElement(): Expression {
    const { aggregates } = this;
    this.aggregates = false;
    const expression = this.rules.expression(this);
    this.aggregates = aggregates;
    return expression;
  }

  unexpected(token: Token = this.token): never {
    if (token.kind === "end") throw new ParseError("unexpected end of the text", token.at);
    const shown = this.text.slice(token.at, Math.min(token.end, token.at + longestShown));
    throw new ParseError(`unexpected "${shown}"`, token.at);
  }

  refuse(message: string, at: number = this.token.at): never {
    throw new ParseError(message, at);
  }

  /** Records what is wrong and reads on: the tree is whole, but must not be used. */
  note(message: string, at: number): void {
    if (this.#messages.length < mostFaults) this.#messages.push({ message, at });
  }

  /** Goes to the end when there is nothing more to tell. */
  stopWhenFull(): boolean {
    if (this.#messages.length < mostFaults) return false;
    this.index = this.tokens.length - 1;
    return true;
  }

  forbid(clause: string, at: number): void {
    if (!this.forbidden.has(clause)) this.forbidden.set(clause, at);
  }

  get faults(): readonly Diagnostic[] {
    const all = [...this.#messages];
    const first = this.forbidden.values().next();
    if (first.done !== true) {
      const clauses = [...this.forbidden.keys()].join(", ");
      all.push({ message: `Cypher contains forbidden clauses: [${clauses}]`, at: first.value });
    }
    return all.sort((a, b) => a.at - b.at).map(({ message, at }) => diagnosticAt(this.text, at, message));
  }
}

/** Words after which something else than a clause follows, though its word may look like one. */
const awaiting = new Set([
  ...["AS", "AND", "OR", "XOR", "NOT", "IN", "CONTAINS", "STARTS", "ENDS", "WITH", "BY", "WHERE", "DISTINCT"],
  ...["OPTIONAL", "ON", "CSV", "SET", "REMOVE", "DELETE"],
]);

/**
 * Goes from the refused clause that begins at `start` to the next word that begins a clause, so that the other
 * faults of the text are found too. What is in brackets is left out. Wrong guesses cannot let anything through:
 * the text is refused already.
 */
export const skipClause = (state: ParserState, start: number): void => {
  state.index = after(state, start);
  for (;;) {
    const { token } = state;
    if (token.kind === "end" || (token.kind === "mark" && token.mark === "}")) return;
    if (isClauseStart(state)) return;
    state.index = after(state, state.index);
  }
};

const after = (state: ParserState, index: number): number => {
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
  if (token.kind === "name") return !awaiting.has(token.word);
  return token.kind === "mark" ? [")", "]", "}", "*", ";", "%"].includes(token.mark) : true;
};
