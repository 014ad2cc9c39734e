import type { UpsertNode, UpsertNodesRequest } from "@ikg/contracts";
import type { Params, Transaction } from "@ikg/graph";
import { nodeLabel, type ProjectKey, projectLabel, typeLabel } from "@ikg/physical";
import type { CaptureParts, Verb } from "../capture.ts";
import { activeProject } from "../projects.ts";
import { labelRefusals, nodeRefRefusals, refuse } from "../refusals.ts";
import { inOneTransaction } from "../transaction.ts";
import { type NodeBatch, nodeBatch, type NodeRow } from "./node-rows.ts";
import { replaceLabelsText, upsertNodesText } from "./statements.ts";

const groupByType = (rows: readonly NodeRow[]): Map<string, NodeRow[]> =>
  Map.groupBy(rows, (row) => row.type);

/** Writes the rows of one type; resolves to their gids by row. */
const writeType = async (
  tx: Transaction,
  pk: ProjectKey,
  type: string,
  rows: readonly NodeRow[],
  now: string,
): Promise<[NodeRow, string][]> => {
  const params: Params = {
    rows: rows.map((row, i) => ({ i, k: row.key, id: row.id, x: row.externalId, p: row.fields })),
    type,
    now,
  };
  const answered = await tx.run(upsertNodesText(pk, type), params);
  return answered.flatMap(({ i, id }): [NodeRow, string][] => {
    const row = rows[Number(i)];
    return row === undefined ? [] : [[row, String(id)]];
  });
};

const replaceLabels = (tx: Transaction, pk: ProjectKey, rows: readonly NodeRow[]): Promise<unknown> => {
  const changed = rows.flatMap(({ key, type, labels }) => {
    if (labels === undefined) return [];
    const set = labels.map((label) => typeLabel(label, pk));
    return [{ k: key, set, keep: [nodeLabel, projectLabel(pk), typeLabel(type, pk), ...set] }];
  });
  return changed.length === 0 ? Promise.resolve() : tx.run(replaceLabelsText, { rows: changed });
};

/** Writes the rows of a batch in an open transaction; resolves to the gid of each item's node. */
export const writeNodes = async (
  tx: Transaction,
  pk: ProjectKey,
  { rows, rowOfItem }: NodeBatch,
  now: string,
): Promise<string[]> => {
  // Sent together, carried out in this order: types in the order of their keys, then labels.
  const written = [...groupByType(rows)].map(([type, ofType]) => writeType(tx, pk, type, ofType, now));
  const [entries] = await Promise.all([Promise.all(written), replaceLabels(tx, pk, rows)]);
  const ids = new Map(entries.flat());
  return rowOfItem.map((row) => ids.get(row) ?? row.id);
};

/** What is well formed in a node to write and still refused. */
export const nodeRefusals = (node: UpsertNode, path: string): string[] => [
  ...nodeRefRefusals(node, path),
  ...labelRefusals(node.labels, path),
];

/** Creates or updates nodes (api specification 4.2). */
export const upsertNodes =
  ({ graph, projects, now: clock }: CaptureParts): Verb<UpsertNodesRequest> =>
  async (projectId, { nodes }, request) => {
    const project = await activeProject(projects, projectId);
    refuse(nodes.flatMap((node, at) => nodeRefusals(node, `nodes[${at}]`)));
    const now = clock().toISOString();
    const batch = nodeBatch(nodes, project.pk, now);
    const ids = await inOneTransaction(graph, project, request, (tx) =>
      writeNodes(tx, project.pk, batch, now),
    );
    return { results: ids.map((id) => ({ id })) };
  };
