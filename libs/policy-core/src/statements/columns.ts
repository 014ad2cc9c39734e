import {
  externalValueField,
  systemRelationships,
  systemTypes,
  typeLabel,
  type ProjectKey,
} from "@ikg/physical";
import type { Expression } from "../cypher/ast.ts";
import { printTree } from "../cypher/printer.ts";
import type { NodePath, RelationshipPath } from "../paths/path.ts";
import type { KnowledgeQuery } from "../query/query.ts";
import { call, hop, noPosition, presenceTest, property, variable, when } from "../rewrite/build.ts";
import { physicalNodePath, physicalRelationshipPath } from "../rewrite/paths.ts";
import { rowExpression, type RowSource } from "../rewrite/values.ts";

/** What one column of a read is made of, and under which paths its values leave. `expression` is what rows are ordered by. */
export type Column = { readonly name: string; readonly expression: Expression } & (
  | { readonly kind: "node"; readonly path: NodePath }
  | { readonly kind: "relationship"; readonly path: RelationshipPath }
  | { readonly kind: "aggregate"; readonly aggregate: string }
);

/** The variable of the statement that a column is read from. */
export const aliasOf = (column: Column): string =>
  column.kind === "aggregate" ? column.aggregate : column.path.alias;

const score = "__score";

/** All scores of a node in one look-up. */
const allScores = (alias: string, pk: ProjectKey): Expression =>
  call("head", {
    kind: "pattern-comprehension",
    pattern: hop(alias, systemRelationships.trustScore, score, typeLabel(systemTypes.trustScore, pk)),
    result: call("properties", variable(score)),
    at: noPosition,
  });

const nodeExpression = (path: NodePath, pk: ProjectKey): Expression => {
  const root = variable(path.alias);
  switch (path.kind) {
    case "all":
    case "all-properties":
    case "property-and-metadata":
    case "all-metadata":
      return call("properties", root);
    case "all-trust":
      return allScores(path.alias, pk);
    default:
      return physicalNodePath(root, path, pk);
  }
};

const field = "__field";

/** Stored fields of a node with their names: those that the row of the statement lists in `resolverFields`, if any. */
const namedFields = (root: Expression, rowSource: RowSource): Expression => ({
  kind: "list-comprehension",
  variable: field,
  list: property(rowExpression(rowSource), "resolverFields"),
  result: {
    kind: "list",
    items: [variable(field), { kind: "index", target: root, index: variable(field), at: noPosition }],
    at: noPosition,
  },
  at: noPosition,
});

/**
 * A property without a value that refers to a resolver, as a map, which no stored value is: the reference and what a
 * resolver may read of the node.
 */
const reference = (alias: string, name: string, rowSource: RowSource): Expression => {
  const root = variable(alias);
  const external = property(root, externalValueField(name));
  const parts = {
    resolver: external,
    external_id: property(root, "external_id"),
    type: property(root, "type"),
    fields: namedFields(root, rowSource),
  };
  const entries = Object.entries(parts).map(
    ([key, value]) => ({ kind: "entry", key, value, at: noPosition }) as const,
  );
  return when(presenceTest(external), { kind: "map", entries, at: noPosition });
};

/**
 * Prints what a column holds: its value, or the reference that replaces one.
 *
 * @param rowSource where the row of the statement is, which may list `resolverFields`.
 */
export const printValue = (column: Column, rowSource: RowSource): string => {
  const { expression } = column;
  const external = column.kind === "node" && column.path.kind === "property";
  const returned = external
    ? call("coalesce", expression, reference(column.path.alias, column.path.name, rowSource))
    : expression;
  return printTree(returned);
};

/** Prints what a column returns. */
export const printColumn = (column: Column, rowSource: RowSource): string =>
  `${printValue(column, rowSource)} AS ${column.name}`;

/** The columns of a read, in the order of the query's lists. */
export const columnsOf = (query: KnowledgeQuery, pk: ProjectKey): readonly Column[] => [
  ...query.nodes.map((path, index): Column => {
    return { name: `n${index}`, kind: "node", path, expression: nodeExpression(path, pk) };
  }),
  ...query.relationships.map((path, index): Column => {
    const root = variable(path.alias);
    const expression = path.kind === "property" ? physicalRelationshipPath(root, path) : root;
    return { name: `r${index}`, kind: "relationship", path, expression };
  }),
  ...query.aggregates.map((aggregate, index): Column => {
    return { name: `a${index}`, kind: "aggregate", aggregate, expression: variable(aggregate) };
  }),
];
