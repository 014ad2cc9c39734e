import type { ProjectKey } from "@ikg/physical";
import type { NodePattern } from "../cypher/ast.ts";
import { leafConjuncts, type Filter, type Leaf } from "../filters/filter.ts";
import type { Policy } from "../policy/compile.ts";
import type { KnowledgeQuery } from "../query/query.ts";

/** Node types and relationship types that the project's graph holds, by the names of its users. */
export interface GraphSchema {
  readonly nodeTypes: ReadonlyMap<string, { readonly properties: ReadonlySet<string> }>;
  readonly relationshipTypes: ReadonlySet<string>;
}

/** The graph is in a database that did not answer. */
export type UnreadSchema = "unread";

export interface WarningOptions {
  /** With it, warnings hold the statement that creates an index in the project. */
  readonly pk?: ProjectKey;
  /** With it, names that the graph does not hold are warned of, or that it could not be read. */
  readonly schema?: GraphSchema | UnreadSchema;
}

/** The types of `subject` and, for KBAC, `resource`. */
export const endTypes = (policy: Policy): ReadonlyMap<string, string> =>
  new Map(
    policy.kind === "kbac"
      ? [
          ["subject", policy.subjectType],
          ["resource", policy.resourceType],
        ]
      : [["subject", policy.subjectType]],
  );

/** The one label of a node pattern, or of an end that is written without. */
export const labelOf = (node: NodePattern, policy: Policy): string | undefined => {
  if (node.label?.kind === "label") return node.label.name;
  return node.label === undefined && node.variable !== undefined
    ? endTypes(policy).get(node.variable)
    : undefined;
};

/** The label of each alias that is one in the whole text. */
export const aliasLabels = (policy: Policy): ReadonlyMap<string, string> => {
  const labels = new Map<string, string | undefined>();
  for (const pattern of policy.condition.analysis.report.named) {
    const label = labelOf(pattern, policy);
    const alias = pattern.variable;
    if (alias === undefined || label === undefined) continue;
    labels.set(alias, labels.has(alias) && labels.get(alias) !== label ? undefined : label);
  }
  return new Map(
    [...labels].flatMap(([alias, label]) => (label === undefined ? [] : [[alias, label] as const])),
  );
};

/** Leaves that every row must fulfil, of filters on rows. */
export const rowLeaves = (filters: readonly (Filter | undefined)[]): readonly Leaf[] =>
  filters.flatMap((filter) => (filter === undefined ? [] : leafConjuncts(filter)));

/** Filters on the rows of a policy, and of a query when there is one. */
export const policyRowFilters = (policy: Policy, query?: KnowledgeQuery): readonly (Filter | undefined)[] =>
  policy.kind === "kbac" ? [] : [policy.filter?.filter, query?.filter?.filter];

/** Aliases whose external id a filter on rows states. */
const keysOfFilters = (filters: readonly (Filter | undefined)[]): readonly string[] =>
  rowLeaves(filters).flatMap(({ operator, attribute, value }) =>
    (operator === "=" || operator === "IN") &&
    attribute.kind === "node-path" &&
    attribute.path.kind === "system" &&
    attribute.path.field === "external_id" &&
    (value?.kind === "reference" || value?.kind === "literal")
      ? [attribute.path.alias]
      : [],
  );

/** The facts that hold before a pattern is matched: names bound before it, and names whose external id is stated. */
export interface PlanningContext {
  readonly bound: ReadonlySet<string>;
  readonly pinned: ReadonlySet<string>;
  /** The end that a search looks for; undefined for a decision or a query. */
  readonly target?: "subject" | "resource";
}

/** The context of a decision or an execution. */
export const planningContextOf = (policy: Policy, query?: KnowledgeQuery): PlanningContext => {
  if (policy.kind === "kbac") return { bound: new Set(["subject", "resource"]), pinned: new Set() };
  const bound = policy.pin === "policy" ? [] : ["subject"];
  return { bound: new Set(bound), pinned: new Set(keysOfFilters(policyRowFilters(policy, query))) };
};

/** The contexts of all uses of the pattern: a KBAC policy also answers searches, where one end is free. */
export const planningContextsOf = (policy: Policy, query?: KnowledgeQuery): readonly PlanningContext[] =>
  policy.kind === "kbac"
    ? [
        planningContextOf(policy),
        { bound: new Set(["subject"]), pinned: new Set(), target: "resource" },
        { bound: new Set(["resource"]), pinned: new Set(), target: "subject" },
      ]
    : [planningContextOf(policy, query)];
