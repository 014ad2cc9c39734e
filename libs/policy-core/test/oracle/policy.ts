import { conditionText, stepText } from "./author.ts";
import { filterJson } from "./filter-json.ts";
import type { ClauseSpec, FilterSpec, PathStep, Style } from "./model.ts";

/** A KBAC policy of the oracle. */
export interface KbacSpec {
  readonly version: "2.0-kbac" | "3.0-kbac";
  readonly subjectType: string;
  readonly resourceType: string;
  readonly clauses: readonly ClauseSpec[];
  readonly filter?: FilterSpec;
  readonly style: Style;
}

export type ProjectionSpec =
  | { readonly kind: "node"; readonly alias: string; readonly step: PathStep }
  | { readonly kind: "edge"; readonly alias: string; readonly name: string }
  | { readonly kind: "value"; readonly alias: string };

/** A CIQ policy together with one reading query of it. */
export interface QuerySpec {
  readonly subjectType: string;
  readonly applicationId: string;
  /** Whether the condition or its filter fixes `subject` itself. */
  readonly constrained: boolean;
  readonly clauses: readonly ClauseSpec[];
  /** Of the policy all but the last `ofQuery`, which the query adds. */
  readonly filters: readonly FilterSpec[];
  readonly ofQuery: number;
  readonly projections: readonly ProjectionSpec[];
  /** Allow whole aliases instead of single paths. */
  readonly wide: boolean;
  readonly style: Style;
}

/** The JSON that is saved. */
export const kbacJson = (policy: KbacSpec): unknown => ({
  meta: { policy_version: policy.version },
  subject: { type: policy.subjectType },
  actions: ["READ"],
  resource: { type: policy.resourceType },
  condition: {
    cypher: conditionText(policy.clauses, policy.style),
    ...(policy.filter === undefined ? {} : { filter: filterJson(policy.filter) }),
  },
});

const pathText = (spec: ProjectionSpec): string => {
  switch (spec.kind) {
    case "node":
      return `${spec.alias}.${stepText(spec.step)}`;
    case "edge":
      return `${spec.alias}.${spec.name}`;
    case "value":
      return spec.alias;
  }
};

const texts = (query: QuerySpec, kind: ProjectionSpec["kind"]): string[] => [
  ...new Set(query.projections.filter((each) => each.kind === kind).map(pathText)),
];

/** The names that a filter reads, by kind: a query may filter on readable paths only. */
const filtered = (filters: readonly FilterSpec[]): readonly ProjectionSpec[] =>
  filters.flatMap((filter): readonly ProjectionSpec[] => {
    if (!("attribute" in filter)) return filtered(filter.operands);
    return [filter.attribute, ...(filter.value === undefined ? [] : [filter.value])].flatMap(
      (operand): ProjectionSpec[] => {
        if (operand.is === "node") return [{ kind: "node", alias: operand.alias, step: operand.step }];
        if (operand.is === "edge") return [{ kind: "edge", alias: operand.alias, name: operand.name }];
        return operand.is === "value" ? [{ kind: "value", alias: operand.name }] : [];
      },
    );
  });

const policyFilters = (query: QuerySpec): readonly FilterSpec[] =>
  query.filters.slice(0, query.filters.length - query.ofQuery);
const queryFilters = (query: QuerySpec): readonly FilterSpec[] =>
  query.filters.slice(query.filters.length - query.ofQuery);

export const ciqJson = (query: QuerySpec): unknown => {
  const read = { ...query, projections: [...query.projections, ...filtered(queryFilters(query))] };
  const aliases = (kind: ProjectionSpec["kind"]): string[] => [
    ...new Set(read.projections.filter((each) => each.kind === kind).map(({ alias }) => alias)),
  ];
  return {
    meta: { policy_version: "1.0-ciq" },
    subject: { type: query.subjectType },
    condition: {
      cypher: conditionText(query.clauses, query.style),
      filter: policyFilters(query).map(filterJson),
    },
    allowed_reads: {
      nodes: query.wide ? aliases("node").map((alias) => `${alias}.*`) : texts(read, "node"),
      relationships: query.wide ? aliases("edge") : texts(read, "edge"),
      aggregate_values: texts(read, "value"),
    },
  };
};

export const queryJson = (query: QuerySpec): unknown => {
  const filters = queryFilters(query).map(filterJson);
  return {
    nodes: texts(query, "node"),
    relationships: texts(query, "edge"),
    aggregate_values: texts(query, "value"),
    ...(filters.length === 0 ? {} : { filter: filters }),
  };
};
