import type { Params, Row } from "@ikg/graph";
import { type ProjectKey, projectLabel } from "@ikg/physical";
import { rowText } from "./row-text.ts";
import { textDigest } from "./text-digest.ts";

/** Runs one statement, on the database or in an open transaction. */
export type Run = (text: string, params: Params) => Promise<readonly Row[]>;

/** Labels have no order: in a transaction with writes the database lists them otherwise. */
const withSortedLabels = (node: Row): Row => ({
  ...node,
  labels: (node["labels"] as readonly string[]).toSorted(), // of `labels(n)`
});

/**
 * The numbers of nodes and relationships of one project, and a hash of all that is stored of them.
 * Relationships with one end in the project are among them. Two digests of one project are equal if
 * nothing of it was changed, created or deleted in between.
 */
export const tenantDigest = async (run: Run, pk: ProjectKey): Promise<string> => {
  const label = projectLabel(pk);
  const nodes = await run(
    [
      `MATCH (n:${label})`,
      "RETURN elementId(n) AS id, labels(n) AS labels, properties(n) AS properties ORDER BY id",
    ].join("\n"),
    {},
  );
  const relationships = await run(
    [
      `MATCH (:${label})-[r]-() WITH DISTINCT r`,
      "RETURN elementId(r) AS id, type(r) AS type, properties(r) AS properties,",
      "  elementId(startNode(r)) AS source, elementId(endNode(r)) AS target ORDER BY id",
    ].join("\n"),
    {},
  );
  const hash = textDigest(rowText([nodes.map(withSortedLabels), relationships]));
  return `${nodes.length} nodes, ${relationships.length} relationships, ${hash}`;
};
