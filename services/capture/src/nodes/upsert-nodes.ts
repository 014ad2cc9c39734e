import type { CaptureResults, Gid, UpsertNodesRequest } from "@ikg/contracts";
import type { Graph, Params, Transaction } from "@ikg/graph";
import { nodeLabel, type ProjectKey, projectLabel, typeLabel } from "@ikg/physical";
import { activeProject, type Projects } from "../projects.ts";
import { labelRefusals, nodeRefRefusals, refuse } from "../refusals.ts";
import { inOneTransaction, type Request } from "../transaction.ts";
import { nodeBatch, type NodeRow } from "./node-rows.ts";
import { replaceLabelsText, upsertNodesText } from "./statements.ts";

export interface NodeWriter {
  /**
   * Creates or updates the nodes of one request, all or none (api specification 4.1, 4.2).
   *
   * @returns the gid of each item's node, in request order.
   * @throws Problem `not_found` (404) without an active graph, `unprocessable` (422) for reserved names and
   *   unknown locations, and what the graph throws.
   */
  upsert(project: Gid, body: UpsertNodesRequest, request: Request): Promise<CaptureResults>;
}

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

export const nodeWriter = (
  graph: Graph,
  projects: Projects,
  clock: () => Date = () => new Date(),
): NodeWriter => ({
  upsert: async (projectId, { nodes }, request) => {
    const project = await activeProject(projects, projectId);
    refuse(
      nodes.flatMap((node, at) => [
        ...nodeRefRefusals(node, `nodes[${at}]`),
        ...labelRefusals(node.labels, `nodes[${at}]`),
      ]),
    );
    const now = clock().toISOString();
    const { rows, rowOfItem } = nodeBatch(nodes, project.pk, now);
    const ids = await inOneTransaction(graph, project, request, async (tx) => {
      // Sent together, carried out in this order: types in the order of their keys, then labels.
      const written = [...groupByType(rows)].map(([type, ofType]) =>
        writeType(tx, project.pk, type, ofType, now),
      );
      const [entries] = await Promise.all([Promise.all(written), replaceLabels(tx, project.pk, rows)]);
      return new Map(entries.flat());
    });
    return { results: rowOfItem.map((row) => ({ id: ids.get(row) ?? row.id })) };
  },
});
