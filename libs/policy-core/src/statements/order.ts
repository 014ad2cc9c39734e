import { keyField } from "@ikg/physical";
import type { Kind } from "../bindings/kind.ts";
import type { Expression } from "../cypher/ast.ts";
import { leavesOf, type Filter } from "../filters/filter.ts";
import { mayReadNode } from "../paths/allow.ts";
import type { KnowledgeQuery } from "../query/query.ts";
import { call, variable } from "../rewrite/build.ts";
import { keyOf, type Column } from "./columns.ts";

const filtersOf = (query: KnowledgeQuery): readonly Filter[] =>
  [query.policy.filter?.filter, query.filter?.filter].flatMap((filter) => filter ?? []);

/** Aliases whose external id the caller may read or a filter names: their key may decide the order. */
const visibleAliases = (query: KnowledgeQuery): ReadonlySet<string> => {
  const filtered = new Set(
    filtersOf(query)
      .flatMap(leavesOf)
      .flatMap(({ attribute }) =>
        attribute.kind === "node-path" &&
        attribute.path.kind === "system" &&
        attribute.path.field === "external_id"
          ? [attribute.path.alias]
          : [],
      ),
  );
  const { bindings } = query.policy.condition.analysis;
  return new Set(
    [...bindings]
      .filter(([, binding]) => binding.kind.kind === "node")
      .map(([alias]) => alias)
      .filter(
        (alias) =>
          filtered.has(alias) ||
          mayReadNode(query.policy.allowed.reads.nodes, {
            kind: "system",
            alias,
            field: "external_id",
            text: `${alias}.external_id`,
          }),
      ),
  );
};

const elementIds = (list: Expression): Expression => ({
  kind: "list-comprehension",
  variable: "__each",
  list,
  result: call("elementId", variable("__each")),
  at: -1,
});

/** What tells two bindings of a name apart. */
const identity = (alias: string, kind: Kind): Expression => {
  switch (kind.kind) {
    case "node":
      return keyOf(alias, keyField);
    case "relationship":
      return call("elementId", variable(alias));
    case "path":
      return elementIds(call("relationships", variable(alias)));
    case "list":
      return kind.of.kind === "relationship" ? elementIds(variable(alias)) : variable(alias);
    case "map":
    case "mixed":
    case "value":
    case "unknown":
      return variable(alias);
  }
};

/**
 * The total order of a query's rows (README decision 25): keys of aliases that are readable or filtered on, then
 * the projected values, then the rest, so that a value the caller may not see never moves rows that differ in
 * what it does see.
 */
export const orderOf = (query: KnowledgeQuery, columns: readonly Column[]): readonly Expression[] => {
  const { bindings } = query.policy.condition.analysis;
  const visible = visibleAliases(query);
  const keys = [...visible].map((alias) => keyOf(alias, keyField));
  const values = columns.flatMap((column) => {
    // A node whose key decides already adds nothing by its values.
    if (column.kind === "node") return visible.has(column.path.alias) ? [] : [column.expression];
    if (column.kind === "aggregate") return [column.expression];
    return column.path.kind === "property" ? [column.expression] : [];
  });
  const rest = [...bindings]
    .filter(([alias, binding]) => binding.kind.kind !== "node" || !visible.has(alias))
    .map(([alias, binding]) => identity(alias, binding.kind));
  return [...keys, ...values, ...rest];
};
