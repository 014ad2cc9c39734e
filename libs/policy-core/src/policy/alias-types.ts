import type { Analysis } from "../bindings/report.ts";
import type { LabelExpression, NodePattern, Query } from "../cypher/ast.ts";
import { labelNames, nodesOf } from "../cypher/walk.ts";

/** Labels that every node of the pattern carries. */
const certain = (label: LabelExpression | undefined): readonly string[] => {
  if (label?.kind === "label") return [label.name];
  return label?.kind === "label-and" ? label.parts.flatMap(certain) : [];
};

/** The one pattern of the text that binds the alias; undefined where a later one took the name again. */
const binderOf = (alias: string, { report }: Analysis): NodePattern | undefined => {
  const binders = [...report.binders].filter(([, each]) => each.alias === alias && each.depth === 0);
  const [only] = binders;
  return binders.length === 1 ? only?.[0] : undefined;
};

/**
 * The labels by which the text itself says what an alias is (policies specification 8.3); empty when it says
 * nothing. `subject` is of the policy's subject type.
 */
export const staticLabels = (alias: string, analysis: Analysis, subjectType: string): readonly string[] => {
  if (alias === "subject") return [subjectType];
  const kind = analysis.bindings.get(alias)?.kind;
  if (kind?.kind !== "node") return [];
  return kind.label === undefined ? certain(binderOf(alias, analysis)?.label) : [kind.label];
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

/** Every name that the text gives to something, those that a WITH dropped again included. */
export const namesIn = (query: Query): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const node of nodesOf(query)) {
    if (node.kind === "node" || node.kind === "relationship" || node.kind === "path") {
      if (node.variable !== undefined) names.add(node.variable);
    } else if ((node.kind === "item" || node.kind === "unwind") && node.alias !== undefined) {
      names.add(node.alias);
    }
  }
  return names;
};
