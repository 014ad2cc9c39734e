import type { Expression, SubqueryBody } from "../ast.ts";
import { diagnosticAt, type Diagnostic } from "../diagnostic.ts";
import type { MarkToken, NameToken, Token } from "../lex/token.ts";

/** Messages for forms that the database has and this language has not; each names the form to write instead. */
export const quantifiedPathRefusal = "quantified path patterns are not allowed; write -[:TYPE*1..3]->";
export const shortestPathRefusal = "shortest paths are not allowed; write a bounded path, -[:TYPE*1..3]->";
export const useRefusal = "USE clause is not allowed";
export const useArgumentRefusal = "graph.byName argument must be a string literal or one parameter";
export const hintRefusal = "planner hints are not allowed";

/** What differs between the versions of the language. */
export interface Allowed {
  /** `USE graph.byName(…)`. */
  readonly use: boolean;
  /** `CALL { … }`. */
  readonly call: boolean;
}

/** Rules that a lower level of the grammar needs of a higher one: patterns hold expressions, expressions subqueries. */
export interface HigherRules {
  expression(state: ParserState): Expression;
  subquery(state: ParserState, of: "EXISTS" | "COUNT"): SubqueryBody;
}

/** Abandons the current clause; caught where clauses are read, never outside the parser. */
export class ParseError extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** Parsing stops after this many faults. */
export const maxFaults = 50;
const maxShown = 40;

/** The position in the token list, the faults found so far, and the nesting at that position. */
export class ParserState {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly allowed: Allowed;
  readonly rules: HigherRules;
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

  constructor(text: string, tokens: readonly Token[], allowed: Allowed, rules: HigherRules) {
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

  /** Reads one or more items with commas between them. */
  commaSeparated<T>(read: () => T): T[] {
    const items = [read()];
    while (this.takeMark(",")) items.push(read());
    return items;
  }

  /** Reads an optional WHERE. */
  where(): Expression | undefined {
    return this.takeWord("WHERE") ? this.rules.expression(this) : undefined;
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
    const shown = this.text.slice(token.at, Math.min(token.end, token.at + maxShown));
    const hint = shown === "=" && this.text[token.at - 1] === "=" ? "; write a single = for equality" : "";
    throw new ParseError(`unexpected "${shown}"${hint}`, token.at);
  }

  refuse(message: string, at: number = this.token.at): never {
    throw new ParseError(message, at);
  }

  /** Records a fault and continues: the tree is whole, but must not be used. */
  note(message: string, at: number): void {
    if (this.#messages.length < maxFaults) this.#messages.push({ message, at });
  }

  /** Moves to the end of the text once `maxFaults` are recorded. */
  stopWhenFull(): boolean {
    if (this.#messages.length < maxFaults) return false;
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
