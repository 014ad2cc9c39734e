import {
  keyField,
  metadataField,
  propertyField,
  quoteName,
  systemFields,
  systemRelationships,
  systemTypes,
  typeLabel,
  type ProjectKey,
} from "@ikg/physical";
import type { Kind } from "../bindings/kind.ts";
import type { Expression } from "../cypher/ast.ts";
import { printTree } from "../cypher/printer.ts";
import { mayReadNode } from "../paths/allow.ts";
import { trustScores, type NodePath, type RelationshipPath } from "../paths/path.ts";
import { rowPaths } from "../query/allowed.ts";
import { echoOf } from "../query/echo.ts";
import type { KnowledgeQuery } from "../query/query.ts";
import { call, hop, noPosition, property, text, variable } from "../rewrite/build.ts";
import type { Column } from "./columns.ts";

const fieldOf = (alias: string, field: string): Expression => property(variable(alias), field);

/** Aliases whose external id the caller may read or a filter names: it may decide the order. */
const visibleAliases = (query: KnowledgeQuery): ReadonlySet<string> => {
  const { policy, writes } = query;
  const filtered = new Set(
    [policy.filter?.filter, query.filter?.filter]
      .flatMap((filter) => (filter === undefined ? [] : rowPaths(filter)))
      .flatMap((read) =>
        read.kind === "node-path" && read.path.kind === "system" && read.path.field === "external_id"
          ? [read.path.alias]
          : [],
      ),
  );
  const echo = echoOf(writes);
  const isReadable = (alias: string): boolean => {
    const path = { kind: "system", alias, field: "external_id", text: `${alias}.external_id` } as const;
    return mayReadNode(policy.allowed.reads.nodes, path) || echo.node(path);
  };
  return new Set(
    [...policy.condition.analysis.bindings]
      .filter(([, binding]) => binding.kind.kind === "node")
      .map(([alias]) => alias)
      .filter((alias) => filtered.has(alias) || isReadable(alias)),
  );
};

/** Which stored fields a wildcard shows, as a test over a field name `__k`; undefined for `a.*`, which shows the key. */
const shownFields = (path: NodePath): string | undefined => {
  const quote = (value: string): string => printTree(text(value));
  switch (path.kind) {
    case "all-properties":
      return `NOT __k IN [${systemFields.map(quote).join(", ")}] AND (NOT __k STARTS WITH '_' OR __k STARTS WITH '_p.') AND NOT CASE WHEN __k STARTS WITH '_p.' THEN substring(__k, 3) ELSE __k END CONTAINS '.'`;
    case "property-and-metadata": {
      const field = propertyField(path.name);
      return `__k = ${quote(field)} OR __k STARTS WITH ${quote(metadataField(path.name, ""))}`;
    }
    case "all-metadata":
      return `__k STARTS WITH ${quote(metadataField(path.name, ""))}`;
    default:
      return undefined;
  }
};

/** Fields of an element whose names pass a test, in the order of their names, with their values. */
const fieldsWhere = (alias: string, test: string): string => {
  const name = quoteName(alias);
  return `COLLECT { UNWIND keys(${name}) AS __k WITH __k WHERE ${test} WITH __k ORDER BY __k RETURN [__k, ${name}[__k]] }`;
};

/** What a column shows of a node, to order by: never a field that the projection leaves out. */
const shownOf = (path: NodePath, expression: Expression, pk: ProjectKey): readonly string[] => {
  if (path.kind === "all-trust") {
    const label = typeLabel(systemTypes.trustScore, pk);
    const scores: Expression = {
      kind: "pattern-comprehension",
      pattern: hop(path.alias, systemRelationships.trustScore, "__score", label),
      result: {
        kind: "list",
        items: trustScores.map((each) => property(variable("__score"), each)),
        at: noPosition,
      },
      at: noPosition,
    };
    return [printTree(call("head", scores))];
  }
  const test = shownFields(path);
  if (test === undefined) return [printTree(expression)];
  return [fieldsWhere(path.alias, test)];
};

/** What a column shows of a relationship. */
const shownOfRelationship = (
  path: RelationshipPath,
  expression: Expression,
  kind: Kind,
): readonly string[] => {
  if (path.kind === "property") return [printTree(expression)];
  // Whole relationships show their ids.
  if (path.kind === "relationship" || kind.kind === "list") return [printTree(identity(path.alias, kind))];
  const test = "NOT __k STARTS WITH '_' OR __k STARTS WITH '_p.'";
  return [printTree(call("type", variable(path.alias))), fieldsWhere(path.alias, test)];
};

const elementIds = (list: Expression): Expression => ({
  kind: "list-comprehension",
  variable: "__each",
  list,
  result: call("elementId", variable("__each")),
  at: noPosition,
});

/** The expression that distinguishes two bindings of a name. */
const identity = (alias: string, kind: Kind): Expression => {
  switch (kind.kind) {
    case "node":
      return fieldOf(alias, keyField);
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
 * The total order of a query's rows, printed behind a `WITH *`: external ids of aliases that are readable
 * or filtered on, then the projected values, then the rest, so that a value the caller may not see never moves
 * rows that differ in what it does see. What a query makes itself is not there yet and orders nothing.
 *
 * @param fixed aliases that are one node in every row: they order nothing either.
 */
export const orderOf = (
  query: KnowledgeQuery,
  columns: readonly Column[],
  pk: ProjectKey,
  fixed: ReadonlySet<string>,
): string => {
  const { bindings } = query.policy.condition.analysis;
  const visible = visibleAliases(query);
  const decided = new Set([...visible, ...fixed]);
  const ordering = [...visible].filter((alias) => !fixed.has(alias));
  // Most queries show it as well, and the database reads each property of a node for itself: one instead of two.
  const keys = ordering.map((alias) => fieldOf(alias, "external_id"));
  const values = columns.flatMap((column) => {
    // A node whose external id decides already adds nothing by its values, nor does one that is the same everywhere.
    if (column.kind === "node")
      return decided.has(column.path.alias) || !bindings.has(column.path.alias)
        ? []
        : shownOf(column.path, column.expression, pk);
    if (column.kind === "aggregate") return [printTree(column.expression)];
    const kind = bindings.get(column.path.alias)?.kind;
    return kind === undefined ? [] : shownOfRelationship(column.path, column.expression, kind);
  });
  const rest = [...bindings]
    .filter(([alias, binding]) => binding.kind.kind !== "node" || !decided.has(alias))
    .map(([alias, binding]) => identity(alias, binding.kind));
  // Nodes of several types under one name may share an external id.
  const ties = ordering.map((alias) => call("elementId", variable(alias)));
  const printed = (list: readonly Expression[]): readonly string[] => list.map(printTree);
  const order = [...new Set([...printed(keys), ...values, ...printed(rest), ...printed(ties)])];
  // Rows that nothing distinguishes are one and the same row.
  return order.length === 0 ? "" : ` ORDER BY ${order.join(", ")}`;
};
