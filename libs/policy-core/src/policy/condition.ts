import { analyse } from "../bindings/analyse.ts";
import type { Analysis, AnalysisReport } from "../bindings/scope.ts";
import type { LabelExpression, NodePattern, Query } from "../cypher/ast.ts";
import { diagnosticAt, type Diagnostic } from "../cypher/diagnostic.ts";
import { parse } from "../cypher/parser.ts";
import { clauseIndexOf, labelNames, nodesOf } from "../cypher/walk.ts";
import { boundsOf } from "../bounds/bounds.ts";
import type { Budget } from "../bounds/budget.ts";
import { patternExcess } from "../bounds/patterns.ts";
import type { Size } from "../bounds/size.ts";
import type { Faults } from "../json.ts";
import type { Language } from "../values/reference.ts";

/** Labels that every node of the pattern carries. */
const certain = (label: LabelExpression | undefined): readonly string[] => {
  if (label?.kind === "label") return [label.name];
  return label?.kind === "label-and" ? label.parts.flatMap(certain) : [];
};

/** The one pattern of the text that binds the alias; undefined where a later one took the name again. */
const binderOf = (alias: string, { report }: Analysis): NodePattern | undefined => {
  const [only, ...more] = report.bindersOf(alias);
  return more.length === 0 ? only : undefined;
};

/**
 * Labels that a MATCH of the text itself requires of the node under the name, from the clause that binds it: a WITH may have
 * dropped another node of the same name before.
 */
const required = (alias: string, binder: NodePattern, query: Query): readonly string[] =>
  query.clauses
    .slice(clauseIndexOf(binder, query))
    .flatMap((clause) =>
      clause.kind !== "match" || clause.optional
        ? []
        : clause.patterns.flatMap(({ elements }) =>
            elements.flatMap((each) =>
              each.kind === "node" && each.variable === alias ? certain(each.label) : [],
            ),
          ),
    );

/**
 * The labels that the text itself states for an alias; empty when it states none. `subject` is of the policy's subject type.
 */
export const staticLabels = (
  alias: string,
  { analysis, query }: Pick<Condition, "analysis" | "query">,
  subjectType: string,
): readonly string[] => {
  if (alias === "subject") return [subjectType];
  const binding = analysis.bindings.get(alias);
  if (binding?.kind.kind !== "node") return [];
  const { label } = binding.kind;
  if (label !== undefined) return [label];
  // A value that a WITH binds under the name is not the one that a pattern bound before.
  const binder = binding.isFromPattern ? binderOf(alias, analysis) : undefined;
  if (binder === undefined) return [];
  const labels = certain(binder.label);
  return labels.length > 0 ? labels : required(alias, binder, query);
};

/** Types that a relationship alias may have by the text, those of the platform's own relationships among them. */
export const statedTypes = (alias: string, query: Query): readonly string[] => {
  const types: string[] = [];
  for (const node of nodesOf(query)) {
    if (node.kind === "relationship" && node.variable === alias && node.label !== undefined) {
      types.push(...labelNames(node.label));
    }
  }
  return types;
};

/** A condition's cypher, read and understood. */
export interface Condition {
  /** As its author wrote it; offsets of the tree count in it. */
  readonly text: string;
  readonly query: Query;
  readonly analysis: Analysis;
  /** Bounds of what the names hold after the pattern. */
  readonly sizes: ReadonlyMap<string, Size>;
}

/** Limit of `condition.cypher`, in characters. */
export const maxCypher = 20_000;

/**
 * Most clauses, nodes and relationships of a condition together. The database plans a text before its time limit
 * begins, and what it plans grows faster than the text.
 */
export const maxParts = 100;

const partsOf = (query: Query): number => {
  let parts = 0;
  for (const { kind } of nodesOf(query)) {
    if (["node", "relationship", "match", "with", "unwind", "call", "return"].includes(kind)) parts++;
  }
  return parts;
};

const placed = ({ message, line, column }: Diagnostic): string =>
  `${message} (line ${line}, column ${column})`;

const namesType = (label: LabelExpression, type: string): boolean =>
  (label.kind === "label" && label.name === type) ||
  (label.kind === "label-and" && label.parts.some((part) => namesType(part, type)));

const checkEndLabels = (report: AnalysisReport, types: ReadonlyMap<string, string | undefined>): void => {
  for (const pattern of report.named) {
    const type = pattern.variable === undefined ? undefined : types.get(pattern.variable);
    if (type === undefined || pattern.label === undefined || namesType(pattern.label, type)) continue;
    report.fault(pattern.at, `the label of "${pattern.variable ?? ""}" must be ${type}`);
  }
};

/**
 * Reads the cypher of a condition.
 *
 * @param routing whether the version knows USE and CALL.
 * @param budget what its expressions may need for one row.
 * @param types what `subject` and, for KBAC, `resource` must be labelled with where they are labelled.
 */
export const readCondition = (
  text: string,
  path: string,
  language: Language,
  routing: boolean,
  types: { readonly subject: string | undefined; readonly resource?: string | undefined },
  budget: Budget,
  faults: Faults,
): Condition | undefined => {
  if (text.length > maxCypher) {
    faults.add(path, `must have at most ${maxCypher} characters (has ${text.length})`);
    return undefined;
  }
  const parsed = parse(text, { use: routing, call: routing });
  const found = new Set<string>();
  if (!parsed.ok) for (const fault of parsed.faults) found.add(placed(fault));
  const tooMany = parsed.query !== undefined && partsOf(parsed.query) > maxParts;
  if (tooMany) found.add(`more than ${maxParts} clauses, nodes and relationships`);
  // Each WITH hands every name on: what is too much is not looked at any further.
  const analysis =
    !tooMany &&
    parsed.query &&
    analyse(parsed.query, language, language === "kbac" ? ["subject", "resource"] : ["subject"]);
  if (analysis) {
    checkEndLabels(analysis.report, new Map(Object.entries(types)));
    for (const { at, message } of analysis.report.faults) found.add(placed(diagnosticAt(text, at, message)));
  }
  // A text with other faults is not bounded: what its names hold is not known.
  let sizes: Condition["sizes"] = new Map();
  if (found.size === 0 && parsed.ok && analysis) {
    const { excesses, call, names } = boundsOf(parsed.query, analysis, budget);
    sizes = names;
    const planned = patternExcess(parsed.query);
    if (planned !== undefined) found.add(placed(diagnosticAt(text, planned.at, planned.fault)));
    for (const { at, fault } of excesses) found.add(placed(diagnosticAt(text, at, fault)));
    if (call !== undefined) analysis.report.needs.limit(call);
  }
  for (const reason of found) faults.add(path, reason);
  return found.size === 0 && parsed.ok && analysis
    ? { text, query: parsed.query, analysis, sizes }
    : undefined;
};
