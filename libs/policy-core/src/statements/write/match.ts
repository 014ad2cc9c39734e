import { keyField, quoteName, type ProjectKey } from "@ikg/physical";
import { printTree } from "../../cypher/printer.ts";
import type { KnowledgeQuery } from "../../query/query.ts";
import type { Writes } from "../../query/read-upserts.ts";
import { columnsOf } from "../columns.ts";
import { orderOf } from "../order.ts";
import { matchedRows } from "../rows.ts";

/** Limit of the rows that a writing query may match. */
export const maxRows = 10_000;

/** Where a matched row holds the identity of a relationship. */
interface RelationshipColumns {
  /** Element id, or for the hops of a variable length a list of them. */
  readonly id: string;
  readonly type: string | undefined;
  readonly isVariableLength: boolean;
}

/** Step 1 of a writing query: its rows, in their order. */
export interface MatchStatement {
  readonly text: string;
  /** The column that holds the key of a node alias. */
  readonly nodes: ReadonlyMap<string, string>;
  readonly relationships: ReadonlyMap<string, RelationshipColumns>;
}

const nodeAliases = ({ upsertNodes, upsertRelationships, deleteNodes }: Writes): readonly string[] => [
  ...upsertNodes.map(({ name }) => name),
  ...upsertRelationships.flatMap((entry) => (entry.kind === "new" ? [entry.source, entry.target] : [])),
  ...deleteNodes.map(({ alias }) => alias),
];

const relationshipAliases = ({ upsertRelationships, deleteRelationships }: Writes): readonly string[] => [
  ...upsertRelationships.map(({ name }) => name),
  ...deleteRelationships.map(({ alias }) => alias),
];

/** The aliases of the pattern that the writes and the projection of a query need. */
export const writtenAliases = (
  query: KnowledgeQuery,
  writes: Writes,
): { readonly nodes: readonly string[]; readonly relationships: readonly string[] } => {
  const { bindings } = query.policy.condition.analysis;
  const bound = (names: readonly string[]): readonly string[] =>
    [...new Set(names)].filter((name) => bindings.has(name));
  return {
    nodes: bound(["subject", ...nodeAliases(writes), ...query.nodes.map(({ alias }) => alias)]),
    relationships: bound([...relationshipAliases(writes), ...query.relationships.map(({ alias }) => alias)]),
  };
};

/** The rows of a writing query in their order; one more than `maxRows` shows that there are too many. */
export const matchLines = (query: KnowledgeQuery, pk: ProjectKey): readonly string[] => {
  const { lines, fixed } = matchedRows(query, pk);
  return [...lines, `WITH *${orderOf(query, columnsOf(query, pk), pk, fixed)} LIMIT ${maxRows + 1}`];
};

/**
 * Prints the match of a writing query: pattern and filters once, completely, before the first write, giving for
 * each row the keys of the nodes and the ids of the relationships that later steps need, and the values that a
 * WITH bound.
 *
 * Takes `$__row`: `s` (key of the subject that the platform pins) and `RowValues`.
 */
export const matchStatement = (query: KnowledgeQuery, writes: Writes, pk: ProjectKey): MatchStatement => {
  const { bindings } = query.policy.condition.analysis;
  const columns = columnsOf(query, pk);
  const { nodes, relationships } = writtenAliases(query, writes);
  const nodeColumns = new Map(nodes.map((alias, index) => [alias, `k${index}`]));
  const relationshipColumns = new Map(
    relationships.map((alias, index): [string, RelationshipColumns] => {
      const isVariableLength = bindings.get(alias)?.kind.kind === "list";
      return [alias, { id: `e${index}`, type: isVariableLength ? undefined : `t${index}`, isVariableLength }];
    }),
  );
  const returned = [
    ...[...nodeColumns].map(([alias, name]) => `${quoteName(alias)}.${keyField} AS ${name}`),
    ...[...relationshipColumns].flatMap(([alias, { id, type }]) =>
      type === undefined
        ? [`[__each IN ${quoteName(alias)} | elementId(__each)] AS ${id}`]
        : [`elementId(${quoteName(alias)}) AS ${id}`, `type(${quoteName(alias)}) AS ${type}`],
    ),
    ...columns.flatMap((column) =>
      column.kind === "aggregate" ? [`${printTree(column.expression)} AS ${column.name}`] : [],
    ),
  ];
  const lines = [...matchLines(query, pk), `RETURN ${returned.join(", ")}`];
  return { text: lines.join("\n"), nodes: nodeColumns, relationships: relationshipColumns };
};
