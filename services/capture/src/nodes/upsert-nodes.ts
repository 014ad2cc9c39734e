import type { UpsertNode, UpsertNodesRequest, UpsertResults } from "@ikg/contracts";
import type { Graph, Params, Transaction } from "@ikg/graph";
import { nodeKey, nodeLabel, type ProjectKey, projectLabel, typeLabel } from "@ikg/physical";
import type { CaptureParts, Verb } from "../batches/verb.ts";
import { constituentOf } from "../projects/constituent.ts";
import { writeByDatabase } from "../batches/write-by-database.ts";
import { nodeNames } from "../batches/names.ts";
import { activeProject, type Project } from "../projects/projects.ts";
import { labelRefusals, nodeRefRefusals, refuse } from "../batches/refusals.ts";
import { sortedRows, upsertResultsOf } from "../batches/rows.ts";
import type { Request } from "../batches/transaction.ts";
import { type NodeBatch, nodeBatch, type NodeRow } from "./node-rows.ts";
import { replaceLabelsText, upsertNodesText, upsertProxiesText } from "./statements.ts";

/** The labels that every node of a type has besides the one of all nodes, by type. */
const ownLabels = (pk: ProjectKey) => {
  const ofType = new Map<string, readonly string[]>();
  return (type: string): readonly string[] => {
    const known = ofType.get(type) ?? [projectLabel(pk), typeLabel(type, pk)];
    ofType.set(type, known);
    return known;
  };
};

/** Writes rows of whatever types; resolves to their gids by row. @throws Error for a row that was not sent */
const writeRows = async (
  tx: Transaction,
  pk: ProjectKey,
  rows: readonly NodeRow[],
  now: string,
): Promise<[NodeRow, string][]> => {
  const labelsOf = ownLabels(pk);
  const params: Params = {
    rows: rows.map(({ key: k, id, type: t, externalId: x, fields: p }, i) => ({
      i,
      k,
      id,
      t,
      x,
      p,
      l: labelsOf(t),
    })),
    now,
  };
  const returned = await tx.run(upsertNodesText, params);
  return returned.map(({ i, id }): [NodeRow, string] => {
    const row = rows[Number(i)];
    if (row === undefined) throw new Error(`the database returned row ${Number(i)}, which was not sent`);
    return [row, String(id)];
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

/**
 * Writes the rows of a batch in an open transaction; resolves to the gid of each item's node.
 *
 * @throws Error for a node that the database does not confirm: its new gid must not be reported.
 */
export const writeNodes = async (
  tx: Transaction,
  pk: ProjectKey,
  { rows, rowOfItem }: NodeBatch,
  now: string,
): Promise<string[]> => {
  // Sent together, carried out in this order.
  const [entries] = await Promise.all([writeRows(tx, pk, rows, now), replaceLabels(tx, pk, rows)]);
  const ids = new Map(entries);
  return rowOfItem.map((row) => {
    const id = ids.get(row);
    if (id === undefined) throw new Error("the database did not confirm a node");
    return id;
  });
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
  const labelsOf = ownLabels(pk);
  const proxies = nodes.map(({ item: { type: t, external_id: x, location }, result: id }) => ({
    k: nodeKey(pk, t, x),
    id,
    t,
    x,
    l: labelsOf(t),
    location,
  }));
  return tx.run(upsertProxiesText, { rows: sortedRows(proxies), now });
};

/** Writes nodes of a project, each in its place; resolves to their gids. */
export const writeInPlaces = (
  graph: Graph,
  project: Project,
  nodes: readonly UpsertNode[],
  request: Request,
  now: string,
): Promise<readonly string[]> =>
  writeByDatabase<UpsertNode, string>(graph, project, request, {
    items: nodes,
    constituentOf: ({ location }) => constituentOf(project, location),
    work: (tx, indexed) =>
      writeNodes(
        tx,
        project.pk,
        nodeBatch(
          indexed.map(({ item }) => item),
          project.pk,
          now,
        ),
        now,
      ),
    mirror: (tx, elsewhere) => writeProxies(tx, project.pk, elsewhere, now),
  });

/** Creates or updates nodes. */
export const upsertNodes =
  ({ graph, projects, names, now: clock }: CaptureParts): Verb<UpsertNodesRequest, UpsertResults> =>
  async (projectId, { nodes, on_missing: onMissing }, request) => {
    const project = await activeProject(projects, projectId);
    refuse(nodes.flatMap((node, at) => nodeRefusals(node, `nodes[${at}]`, project)));
    await names.reserve(
      project,
      nodes.map((node, at) => ({ place: `nodes[${at}]`, visit: nodeNames(node) })),
    );
    const ids = await writeInPlaces(graph, project, nodes, request, clock().toISOString());
    return upsertResultsOf(ids, onMissing);
  };
