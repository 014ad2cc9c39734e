import { omitUndefined } from "@ikg/contracts/values";
import { isAggregating } from "../bindings/analyse-projection.ts";
import type { AnalysisReport } from "../bindings/scope.ts";
import type { Clause, MatchClause, Query, WithClause } from "../cypher/ast.ts";
import { conjuncts, conjunction } from "../cypher/conjuncts.ts";
import { derivedReport } from "./derived-report.ts";
import { partsOfMatch, partialMatch, type MatchPart } from "./match-parts.ts";
import { type TextPosition, positionOf, type Span } from "../cypher/diagnostic.ts";
import { Spans } from "./spans.ts";

/**
 * `node`: where a pattern begins, with its label; `hop`: a relationship and the node it leads to; `predicate`: a
 * conjunct of a WHERE, an entry of an inline map, a label at the end of a hop; `clause`: UNWIND, CALL, and a WITH
 * that cuts rows.
 */
export type PartKind = "clause" | "node" | "hop" | "predicate";

/** A part of a policy's cypher, by its place in the author's text; `to` is the place after its last character. */
export interface Part {
  readonly kind: PartKind;
  readonly from: TextPosition;
  readonly to: TextPosition;
  readonly text: string;
}

/** A part that can leave no row, before it is located in the text, with the text up to its end. */
interface QueryPart {
  readonly kind: PartKind;
  /** Of a node that begins a pattern, and of a label: the name of the node, if it has one. */
  readonly node?: string;
  readonly span: (spans: Spans) => Span;
  readonly prefix: () => Prefix;
}

/** The tree of a text that ends after one of its parts, and what its analysis knows. */
export interface Prefix {
  readonly query: Query;
  readonly report: AnalysisReport;
}

const kinds: Readonly<Record<MatchPart["kind"], PartKind>> = {
  node: "node",
  hop: "hop",
  label: "predicate",
  entry: "predicate",
  inline: "predicate",
  where: "predicate",
};

const matchSpan = (part: MatchPart, query: Query, clause: MatchClause, spans: Spans): Span => {
  switch (part.kind) {
    case "node":
      return spans.node(part.node);
    case "hop":
      return spans.hop(part.relationship, part.node);
    case "label":
      return spans.label(part.node);
    case "entry":
      return spans.entry(part.element, part.entry);
    case "inline":
      return one(spans.conjunctsOfElement(part.element, part.where), part.index);
    case "where":
      return one(spans.conjunctsOfClause(query, clause, part.where), part.index);
  }
};

const one = (spans: readonly Span[], index: number): Span => {
  const span = spans[index];
  if (span === undefined) throw new Error("a predicate without a place");
  return span;
};

/** True for a WITH that gives exactly one row, whatever was before it: it folds everything into one group. */
const isRestart = (clause: Clause): boolean =>
  clause.kind === "with" &&
  !clause.star &&
  clause.items.length > 0 &&
  clause.items.every((item) => isAggregating(item.expression));

/**
 * The parts of a text that can leave no row, in the order in which they are explained. Once a
 * part leaves no row, no later one has any, so that the first after which no row is left can be found by binary search. The
 * parts before a WITH that always gives a row are left out.
 */
export const partsOfQuery = (query: Query, report: AnalysisReport): readonly QueryPart[] => {
  const parts: QueryPart[] = [];
  query.clauses.forEach((clause, index) => {
    const before = query.clauses.slice(0, index);
    const prefix = (last: Clause): Prefix => ({
      query: { ...query, clauses: [...before, last] },
      report,
    });
    if (isRestart(clause)) parts.length = 0;
    switch (clause.kind) {
      case "match":
        if (!clause.optional) parts.push(...queryPartsOfMatch(query, clause, before, report));
        return;
      case "with":
        parts.push(...queryPartsOfWith(query, clause, prefix));
        return;
      case "unwind":
      case "call":
        parts.push({
          kind: "clause",
          span: (spans) => spans.clause(query, clause),
          prefix: () => prefix(clause),
        });
        return;
      case "use":
      case "return":
    }
  });
  return parts;
};

const queryPartsOfMatch = (
  query: Query,
  clause: MatchClause,
  before: readonly Clause[],
  report: AnalysisReport,
): readonly QueryPart[] => {
  const matchParts = partsOfMatch(clause);
  return matchParts.map((part, index): QueryPart => {
    const node = part.kind === "node" || part.kind === "label" ? part.node.variable : undefined;
    return {
      kind: kinds[part.kind],
      ...omitUndefined({ node }),
      span: (spans) => matchSpan(part, query, clause, spans),
      prefix: () => {
        const partial = partialMatch(clause, matchParts.slice(0, index + 1));
        if (partial === undefined) throw new Error("a MATCH begins with a node");
        return {
          query: { ...query, clauses: [...before, partial.clause] },
          report: derivedReport(report, partial.nodes),
        };
      },
    };
  });
};

const queryPartsOfWith = (
  query: Query,
  clause: WithClause,
  prefix: (last: Clause) => Prefix,
): readonly QueryPart[] => {
  const { where, ...bare } = clause;
  const parts: QueryPart[] = [];
  if (clause.skip !== undefined || clause.limit !== undefined) {
    parts.push({
      kind: "clause",
      span: (spans) => spans.clause(query, clause, where),
      prefix: () => prefix(bare),
    });
  }
  const predicates = conjuncts(where);
  predicates.forEach((_, index) => {
    if (where === undefined) return;
    parts.push({
      kind: "predicate",
      span: (spans) => one(spans.conjunctsOfClause(query, clause, where), index),
      prefix: () =>
        prefix({ ...bare, ...omitUndefined({ where: conjunction(predicates.slice(0, index + 1)) }) }),
    });
  });
  return parts;
};

/** A part by its place in the text of its author. */
export const locatePart = ({ kind, span }: QueryPart, text: string, spans = new Spans(text)): Part => {
  const { at, end } = span(spans);
  return { kind, from: positionOf(text, at), to: positionOf(text, end), text: text.slice(at, end) };
};
