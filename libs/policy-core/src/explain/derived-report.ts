import { AnalysisReport } from "../bindings/scope.ts";
import type { NodePattern } from "../cypher/ast.ts";

type Binder = NonNullable<ReturnType<AnalysisReport["binders"]["get"]>>;

/** A node pattern that was made from one of the text, and the name that it got when that has none. */
interface DerivedNode {
  readonly made: NodePattern;
  readonly original: NodePattern;
  readonly given?: { readonly name: string; readonly optional: boolean };
}

const derived = (report: AnalysisReport, patterns: Iterable<DerivedNode>): AnalysisReport => {
  const binders = new Map<NodePattern, Binder>(report.binders);
  const rebound = new Set(report.rebound);
  for (const { made, original, given } of patterns) {
    const binder =
      given === undefined
        ? report.binders.get(original)
        : {
            alias: given.name,
            depth: 0,
            optional: given.optional,
            isolatedScope: false,
            beforeFirstWith: true,
          };
    if (binder !== undefined) binders.set(made, binder);
    else if (report.rebound.has(original)) rebound.add(made);
  }
  return Object.assign(new AnalysisReport(report.language), report, { binders, rebound });
};

/** What is known of a text, for a tree in which some node patterns stand for others of the text. */
export const derivedReport = (
  report: AnalysisReport,
  nodes: ReadonlyMap<NodePattern, NodePattern>,
): AnalysisReport =>
  derived(
    report,
    [...nodes].map(([made, original]) => ({ made, original })),
  );

/** The same where nodes without a name were given a generated one. */
export const reportWithNames = (
  report: AnalysisReport,
  named: ReadonlyMap<
    NodePattern,
    { readonly original: NodePattern; readonly name: string; readonly optional: boolean }
  >,
): AnalysisReport =>
  derived(
    report,
    [...named].map(([made, { original, name, optional }]) =>
      original.variable === undefined ? { made, original, given: { name, optional } } : { made, original },
    ),
  );
