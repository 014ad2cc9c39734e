import { AnalysisReport } from "../bindings/scope.ts";
import type { NodePattern } from "../cypher/ast.ts";

type Binder = NonNullable<ReturnType<AnalysisReport["binders"]["get"]>>;

/** A node pattern derived from one of the text, and its generated name where the original has none. */
interface DerivedNode {
  readonly pattern: NodePattern;
  readonly original: NodePattern;
  readonly binding?: { readonly name: string; readonly optional: boolean };
}

/** The report with the binders of derived node patterns. */
const addDerivedNodes = (report: AnalysisReport, patterns: Iterable<DerivedNode>): AnalysisReport => {
  const binders = new Map<NodePattern, Binder>(report.binders);
  const rebound = new Set(report.rebound);
  for (const { pattern, original, binding } of patterns) {
    const binder =
      binding === undefined
        ? report.binders.get(original)
        : {
            alias: binding.name,
            depth: 0,
            optional: binding.optional,
            isolatedScope: false,
            beforeFirstWith: true,
          };
    if (binder !== undefined) binders.set(pattern, binder);
    else if (report.rebound.has(original)) rebound.add(pattern);
  }
  return Object.assign(new AnalysisReport(report.language), report, { binders, rebound });
};

/** What is known of a text, for a tree in which some node patterns stand for others of the text. */
export const derivedReport = (
  report: AnalysisReport,
  nodes: ReadonlyMap<NodePattern, NodePattern>,
): AnalysisReport =>
  addDerivedNodes(
    report,
    [...nodes].map(([pattern, original]) => ({ pattern, original })),
  );

/** The same where nodes without a name were given a generated one. */
export const reportWithNames = (
  report: AnalysisReport,
  named: ReadonlyMap<
    NodePattern,
    { readonly original: NodePattern; readonly name: string; readonly optional: boolean }
  >,
): AnalysisReport =>
  addDerivedNodes(
    report,
    [...named].map(([pattern, { original, name, optional }]) =>
      original.variable === undefined
        ? { pattern, original, binding: { name, optional } }
        : { pattern, original },
    ),
  );
