import type { UpsertNode, UpsertNodesRequest } from "@ikg/contracts";
import type { Graph, Params, Transaction } from "@ikg/graph";
import { nodeKey, nodeLabel, type ProjectKey, projectLabel, typeLabel } from "@ikg/physical";
import type { CaptureParts, Verb } from "../capture.ts";
import { constituentOf } from "../locations/constituent.ts";
import { inPlaces } from "../locations/in-places.ts";
import { activeProject, type Project } from "../projects.ts";
import { labelRefusals, nodeRefRefusals, refuse } from "../refusals.ts";
import { sortedRows } from "../rows.ts";
import type { Request } from "../transaction.ts";
import { type NodeBatch, nodeBatch, type NodeRow } from "./node-rows.ts";
import { replaceLabelsText, upsertNodesText, upsertProxiesText } from "./statements.ts";

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
export const nodeRefusals = (node: UpsertNode, path: string, project: Project): string[] => [
  ...nodeRefRefusals(node, path, project),
  ...labelRefusals(node.labels, path),
];

/** Keeps, in the default database, a proxy of each node that is elsewhere. */
const writeProxies = (
  tx: Transaction,
  pk: ProjectKey,
  nodes: readonly { readonly item: UpsertNode; readonly result: string }[],
  now: string,
): Promise<unknown> => {
  const proxies = nodes.map(({ item: { type, external_id: x, location }, result: id }) => ({
    type,
    k: nodeKey(pk, type, x),
    id,
    x,
    l: location,
  }));
  return Promise.all(
    [...Map.groupBy(proxies, ({ type }) => type)].map(([type, ofType]) => {
      const rows = sortedRows(ofType.map(({ type: _type, ...row }) => row));
      return tx.run(upsertProxiesText(pk, type), { rows, type, now });
    }),
  );
};

/** Writes nodes of a project, each in its place; resolves to their gids. */
export const writeInPlaces = (
  graph: Graph,
  project: Project,
  nodes: readonly UpsertNode[],
  request: Request,
  now: string,
): Promise<readonly string[]> =>
  inPlaces<UpsertNode, string>(graph, project, request, {
    items: nodes,
    constituentOf: ({ location }) => constituentOf(project, location),
    work: (tx, placed) =>
      writeNodes(
        tx,
        project.pk,
        nodeBatch(
          placed.map(({ item }) => item),
          project.pk,
          now,
        ),
        now,
      ),
    mirror: (tx, elsewhere) => writeProxies(tx, project.pk, elsewhere, now),
  });

/** Creates or updates nodes (api specification 4.2). */
export const upsertNodes =
  ({ graph, projects, now: clock }: CaptureParts): Verb<UpsertNodesRequest> =>
  async (projectId, { nodes }, request) => {
    const project = await activeProject(projects, projectId);
    refuse(nodes.flatMap((node, at) => nodeRefusals(node, `nodes[${at}]`, project)));
    const ids = await writeInPlaces(graph, project, nodes, request, clock().toISOString());
    return { results: ids.map((id) => ({ id })) };
  };
