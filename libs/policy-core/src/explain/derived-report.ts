import { Report } from "../bindings/scope.ts";
import type { NodePattern } from "../cypher/ast.ts";

type Binder = NonNullable<ReturnType<Report["binders"]["get"]>>;

const withBinders = (report: Report, added: Iterable<readonly [NodePattern, Binder]>): Report => {
  const binders = new Map([...report.binders, ...added]);
  return Object.assign(new Report(report.language), report, { binders });
};

/** What is known of a text, for a tree in which some node patterns stand for others of the text. */
export const derivedReport = (report: Report, nodes: ReadonlyMap<NodePattern, NodePattern>): Report =>
  withBinders(
    report,
    [...nodes].flatMap(([made, original]) => {
      const binder = report.binders.get(original);
      return binder === undefined ? [] : [[made, binder] as const];
    }),
  );

/** The same where nodes without a name were given one of ours. */
export const reportWithNames = (
  report: Report,
  named: ReadonlyMap<
    NodePattern,
    { readonly original: NodePattern; readonly name: string; readonly optional: boolean }
  >,
): Report =>
  withBinders(
    report,
    [...named].flatMap(([made, { original, name, optional }]) => {
      if (original.variable === undefined)
        return [[made, { alias: name, depth: 0, optional, apart: false, early: true }] as const];
      const binder = report.binders.get(original);
      return binder === undefined ? [] : [[made, binder] as const];
    }),
  );
