import { keyField, lockNodesText, nodeLabel, takeLock, type ProjectKey } from "@ikg/physical";
import type { BoundStatement } from "./bound-statement.ts";
import { deletedAliases } from "./effects.ts";
import { type Elements, valuesUnder } from "./elements.ts";
import type { WriteStatements } from "./statements.ts";
import { relationshipById } from "./upserts.ts";

/** Locks the nodes `keys` and the ends of the relationships `ids`, in the order of the keys of all. */
const lockNodesAndEnds = (pk: ProjectKey): string =>
  [
    "UNWIND $ids AS e",
    relationshipById(pk),
    `UNWIND [startNode(r).${keyField}, endNode(r).${keyField}] AS k`,
    "WITH collect(DISTINCT k) AS ends",
    "UNWIND ends + $keys AS k",
    "WITH DISTINCT k ORDER BY k",
    `MATCH (n:${nodeLabel} {${keyField}: k})`,
    takeLock("n"),
  ].join("\n");

/**
 * The statement that locks every existing node that a plan writes to, connects or deletes, and the ends of the relationships
 * that it deletes, which the database locks as well: all in one order, so that two such plans cannot deadlock over them.
 * The other ends of the relationships of a deleted node are not known beforehand.
 */
export const locksOf = ({ pk, writes }: WriteStatements, elements: Elements): BoundStatement => {
  const names = [
    ...writes.upsertNodes.map(({ name }) => name),
    ...writes.upsertRelationships.flatMap((entry) =>
      entry.kind === "new" ? [entry.source, entry.target] : [],
    ),
    ...writes.deleteNodes.map(({ alias }) => alias),
  ];
  const keys = valuesUnder(names, (name) => elements.keys(name)).toSorted((a, b) => (a < b ? -1 : 1));
  const { whole } = deletedAliases(writes.deleteRelationships);
  const ids = valuesUnder(whole, (alias) => elements.ids(alias));
  return ids.length === 0
    ? { text: lockNodesText, params: { keys } }
    : { text: lockNodesAndEnds(pk), params: { keys, ids } };
};
