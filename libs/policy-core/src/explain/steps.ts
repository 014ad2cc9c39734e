import { omitUndefined } from "@ikg/contracts/values";
import { isAggregating } from "../bindings/analyse-projection.ts";
import type { AnalysisReport } from "../bindings/scope.ts";
import type { Clause, MatchClause, Query, WithClause } from "../cypher/ast.ts";
import { conjuncts, conjunction } from "../cypher/conjuncts.ts";
import { derivedReport } from "./derived-report.ts";
import { itemsOf, partialMatch, type MatchItem } from "./match-items.ts";
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

/** A text that is cut after one of its parts. */
interface Step {
  readonly kind: PartKind;
  /** Of a node that begins a pattern, and of a label: the name of the node, if it has one. */
  readonly node?: string;
  readonly span: (spans: Spans) => Span;
  readonly prefix: () => Prefix;
}

/** The tree of such a text, and what its analysis knows. */
export interface Prefix {
  readonly query: Query;
  readonly report: AnalysisReport;
}

const kinds: Readonly<Record<MatchItem["kind"], PartKind>> = {
  node: "node",
  hop: "hop",
  label: "predicate",
  entry: "predicate",
  inline: "predicate",
  where: "predicate",
};

const matchSpan = (item: MatchItem, query: Query, clause: MatchClause, spans: Spans): Span => {
  switch (item.kind) {
    case "node":
      return spans.node(item.node);
    case "hop":
      return spans.hop(item.relationship, item.node);
    case "label":
      return spans.label(item.node);
    case "entry":
      return spans.entry(item.element, item.entry);
    case "inline":
      return one(spans.conjunctsOfElement(item.element, item.where), item.index);
    case "where":
      return one(spans.conjunctsOfClause(query, clause, item.where), item.index);
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
export const stepsOf = (query: Query, report: AnalysisReport): readonly Step[] => {
  const steps: Step[] = [];
  query.clauses.forEach((clause, index) => {
    const before = query.clauses.slice(0, index);
    const prefix = (last: Clause): Prefix => ({
      query: { ...query, clauses: [...before, last] },
      report,
    });
    if (isRestart(clause)) steps.length = 0;
    switch (clause.kind) {
      case "match":
        if (!clause.optional) steps.push(...matchSteps(query, clause, before, report));
        return;
      case "with":
        steps.push(...withSteps(query, clause, prefix));
        return;
      case "unwind":
      case "call":
        steps.push({
          kind: "clause",
          span: (spans) => spans.clause(query, clause),
          prefix: () => prefix(clause),
        });
        return;
      case "use":
      case "return":
    }
  });
  return steps;
};

const matchSteps = (
  query: Query,
  clause: MatchClause,
  before: readonly Clause[],
  report: AnalysisReport,
): readonly Step[] => {
  const items = itemsOf(clause);
  return items.map((item, index): Step => {
    const node = item.kind === "node" || item.kind === "label" ? item.node.variable : undefined;
    return {
      kind: kinds[item.kind],
      ...omitUndefined({ node }),
      span: (spans) => matchSpan(item, query, clause, spans),
      prefix: () => {
        const part = partialMatch(clause, items.slice(0, index + 1));
        if (part === undefined) throw new Error("a MATCH begins with a node");
        return {
          query: { ...query, clauses: [...before, part.clause] },
          report: derivedReport(report, part.nodes),
        };
      },
    };
  });
};

const withSteps = (query: Query, clause: WithClause, prefix: (last: Clause) => Prefix): readonly Step[] => {
  const { where, ...bare } = clause;
  const steps: Step[] = [];
  if (clause.skip !== undefined || clause.limit !== undefined) {
    steps.push({
      kind: "clause",
      span: (spans) => spans.clause(query, clause, where),
      prefix: () => prefix(bare),
    });
  }
  const parts = conjuncts(where);
  parts.forEach((_, index) => {
    if (where === undefined) return;
    steps.push({
      kind: "predicate",
      span: (spans) => one(spans.conjunctsOfClause(query, clause, where), index),
      prefix: () => prefix({ ...bare, ...omitUndefined({ where: conjunction(parts.slice(0, index + 1)) }) }),
    });
  });
  return steps;
};

/** The part with which a step ends, in the text of its author. */
export const partOf = ({ kind, span }: Step, text: string, spans = new Spans(text)): Part => {
  const { at, end } = span(spans);
  return { kind, from: positionOf(text, at), to: positionOf(text, end), text: text.slice(at, end) };
};
