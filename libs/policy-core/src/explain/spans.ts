import type { Clause, Expression, MapEntry, NodePattern, Query, RelationshipPattern } from "../cypher/ast.ts";
import { lex } from "../cypher/lex/lexer.ts";
import type { Token } from "../cypher/lex/token.ts";
import { conjuncts } from "../cypher/conjuncts.ts";
import type { Span } from "../cypher/diagnostic.ts";

/**
 * Where the parts of an accepted text begin and end. The tree only knows where they begin, so the ends are taken
 * from the tokens: of what is in brackets from the partner, of the rest from what follows.
 */
export class Spans {
  readonly #tokens: readonly Token[];
  /** Index of the token at an offset. */
  readonly #index: ReadonlyMap<number, number>;

  constructor(text: string) {
    this.#tokens = lex(text);
    this.#index = new Map(this.#tokens.map(({ at }, index) => [at, index]));
  }

  /** A whole clause; without its WHERE where `where` is given. */
  clause(query: Query, clause: Clause, where?: Expression): Span {
    const last = where === undefined ? this.#lastOf(query, clause) : this.#wordBefore(where.at, "WHERE") - 1;
    return this.#span(this.#at(clause.at), last);
  }

  /** A node with its parentheses. */
  node(node: NodePattern): Span {
    const open = this.#at(node.at);
    return this.#span(open, this.#partner(open));
  }

  /** A relationship and the node that it leads to. */
  hop(relationship: RelationshipPattern, node: NodePattern): Span {
    return this.#span(this.#at(relationship.at), this.#partner(this.#at(node.at)));
  }

  /** The label expression of a node, with its colon. */
  label(node: NodePattern): Span {
    const open = this.#at(node.at);
    const end =
      node.properties === undefined
        ? node.where === undefined
          ? this.#partner(open)
          : this.#wordBefore(node.where.at, "WHERE")
        : this.#at(node.properties.at);
    return this.#span(open + (node.variable === undefined ? 1 : 2), end - 1);
  }

  /** One entry of a pattern's map. */
  entry(element: NodePattern | RelationshipPattern, entry: MapEntry): Span {
    const entries = element.properties?.entries ?? [];
    const next = entries[entries.indexOf(entry) + 1];
    const end =
      next === undefined
        ? this.#partner(this.#at(element.properties?.at ?? entry.at))
        : this.#at(next.at) - 1;
    return this.#span(this.#at(entry.at), end - 1);
  }

  /** The conjuncts of a clause's WHERE. */
  conjunctsOfClause(query: Query, clause: Clause, where: Expression): readonly Span[] {
    return this.#conjuncts(where, this.#lastOf(query, clause));
  }

  /** The conjuncts of a WHERE inside a node or relationship. */
  conjunctsOfElement(element: NodePattern | RelationshipPattern, where: Expression): readonly Span[] {
    const open = element.kind === "node" ? this.#at(element.at) : this.#bracketOf(element);
    return this.#conjuncts(where, this.#partner(open) - 1);
  }

  /** `last`: index of the last token of the whole predicate. */
  #conjuncts(where: Expression, last: number): readonly Span[] {
    const parts = conjuncts(where);
    const starts = parts.map(({ at }) => this.#at(at));
    let least = this.#wordBefore(where.at, "WHERE") + 1;
    return parts.map((_, index) => {
      const next = parts[index + 1];
      const and = next === undefined ? last + 1 : this.#wordBefore(next.at, "AND");
      const span = this.#trimmed(starts[index] ?? least, least, and - 1);
      least = and + 1;
      return span;
    });
  }

  /** A part between two tokens without the parentheses that hold more than it, and with those that hold it alone. */
  #trimmed(start: number, least: number, last: number): Span {
    let end = last;
    while (end > start && this.#isClosing(end) && this.#partner(end) < least) end -= 1;
    let from = start;
    for (let index = start; index <= end; index += 1) {
      if (!this.#isClosing(index)) continue;
      const partner = this.#partner(index);
      if (partner >= least && partner < from) from = partner;
    }
    return this.#span(from, end);
  }

  #isClosing(index: number): boolean {
    const token = this.#token(index);
    return token.kind === "mark" && token.mark === ")";
  }

  /** Index of a keyword before what begins at an offset, over the parentheses between. */
  #wordBefore(offset: number, word: string): number {
    for (let index = this.#at(offset) - 1; index >= 0; index -= 1) {
      const token = this.#token(index);
      if (token.kind === "name" && token.word === word) return index;
    }
    return -1;
  }

  #lastOf(query: Query, clause: Clause): number {
    const next = query.clauses[query.clauses.indexOf(clause) + 1];
    return (next === undefined ? this.#tokens.length - 1 : this.#at(next.at)) - 1;
  }

  #bracketOf(relationship: RelationshipPattern): number {
    let index = this.#at(relationship.at);
    for (let token = this.#token(index); token.kind !== "end"; token = this.#token(index)) {
      if (token.kind === "mark" && token.mark === "[") break;
      index += 1;
    }
    return index;
  }

  #partner(index: number): number {
    const token = this.#token(index);
    return token.kind === "mark" && token.partner >= 0 ? token.partner : index;
  }

  #at(offset: number): number {
    return this.#index.get(offset) ?? 0;
  }

  #token(index: number): Token {
    const token = this.#tokens[Math.max(0, Math.min(index, this.#tokens.length - 1))];
    if (token === undefined) throw new Error("a token list ends with the end token");
    return token;
  }

  #span(from: number, to: number): Span {
    return { at: this.#token(from).at, end: this.#token(to).end };
  }
}
