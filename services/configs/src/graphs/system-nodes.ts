import type { Gid } from "@ikg/contracts";
import { claimLabel, type Graph, type Transaction } from "@ikg/graph";
import {
  graphOutOfSyncLabel,
  graphGeneration,
  keyField,
  nodeKey,
  nodeLabel,
  projectKey,
  propertyField,
  quoteName,
  recordLabel,
  systemRelationships,
  typeLabel,
} from "@ikg/physical";
import type { KeyRing } from "@ikg/secrets";
import type { Collections } from "../records/collection.ts";
import type { SystemNode } from "../records/collection.ts";
import { projection, recordOf, type StoredRecord } from "../records/record.ts";
import { systemEdgeOf, systemNodeOf } from "../records/system-node.ts";
import { openConnection } from "../records/connection.ts";

export interface SystemNodesParts {
  readonly graph: Graph;
  readonly keys: KeyRing;
  readonly collections: Collections;
}

const options = { timeoutMs: 10_000 };
const ownKey = projectKey("");

// The number is read before the records: a change that is committed while they are read counts as still to be followed. Read with
// them, it would be that of each row, and a part of the records could stand for all of them.
const outOfSyncText = [
  `MATCH (p:${graphOutOfSyncLabel} {id: $id}) WHERE p.ikg_status = 'ACTIVE'`,
  `WITH p.${graphGeneration} AS generation, p.data AS data`,
  `OPTIONAL MATCH (r:${recordLabel} {project_id: $id}) WHERE r.kind IN $kinds`,
  "RETURN generation, data,",
  `collect(CASE WHEN r IS NULL THEN null ELSE ${projection("r", false)} END) AS records`,
].join(" ");

// What was changed meanwhile has raised the number, and is still to be followed.
const caughtUpText = [
  `MATCH (p:${graphOutOfSyncLabel} {id: $id}) WHERE p.${graphGeneration} = $generation`,
  `REMOVE p:${graphOutOfSyncLabel}`,
].join(" ");

// Where this database was restored, the claim may name a later change than its last one: changes are numbered on from there.
const raiseText = [
  `MATCH (p:${graphOutOfSyncLabel} {id: $id}) WHERE p.${graphGeneration} = $generation`,
  `SET p.${graphGeneration} = $later RETURN p.id AS id`,
].join(" ");

// Two processes may do so at once: the one that has read less does nothing. Writing takes the lock of the claim.
const fenceText = `MATCH (c:${claimLabel} {owner: $id}) SET c.owner = c.owner`;
const turnText = [
  `MATCH (c:${claimLabel} {owner: $id}) WHERE coalesce(c.generation, 0) <= $generation`,
  "SET c.generation = $generation RETURN c.owner AS owner",
].join(" ");
const laterText = `MATCH (c:${claimLabel} {owner: $id}) WHERE c.generation > $generation RETURN c.generation AS later`;

const nodesText = [
  `UNWIND $nodes AS row MERGE (n:${nodeLabel} {${keyField}: row.key})`,
  "ON CREATE SET n:$(row.labels), n += row.properties",
  "ON MATCH SET n += row.changes",
].join(" ");
const edgesText = [
  `UNWIND $edges AS row MATCH (n:${nodeLabel} {${keyField}: row.from}), (o:${nodeLabel} {${keyField}: row.to})`,
  `MERGE (n)-[r:${quoteName(systemRelationships.belongsTo)}]->(o) ON CREATE SET r = row.edge`,
].join(" ");
const surplusText = (type: string): string =>
  `MATCH (n:${quoteName(typeLabel(type, ownKey))}) WHERE n:${nodeLabel} AND NOT n.${keyField} IN $keys DETACH DELETE n`;

interface Wanted {
  readonly node: SystemNode;
  readonly record: StoredRecord;
}

const nodeRow = ({ node, record }: Wanted) => {
  const { labels, properties } = systemNodeOf(ownKey, node, record);
  const name = propertyField("display_name");
  return {
    key: properties[keyField],
    labels,
    properties,
    changes: { [name]: properties[name], update_time: record.updateTime },
  };
};

const edgeRows = ({ node, record }: Wanted) =>
  node.belongsTo === undefined || record.parentId === undefined
    ? []
    : [
        {
          from: nodeKey(ownKey, node.type, record.id),
          to: nodeKey(ownKey, node.belongsTo, record.parentId),
          edge: systemEdgeOf(record),
        },
      ];

/** @returns the number of the change that was followed there, where it is a later one; nothing is written then. */
const write = async (
  tx: Transaction,
  id: Gid,
  generation: number,
  types: readonly string[],
  wanted: readonly Wanted[],
): Promise<number | undefined> => {
  const [, turn, [claim]] = await Promise.all([
    tx.run(fenceText, { id }),
    tx.run(turnText, { id, generation }),
    tx.run(laterText, { id, generation }),
  ]);
  if (turn.length === 0) return claim === undefined ? undefined : Number(claim["later"]);
  const nodes = wanted.map(nodeRow);
  const keys = nodes.map(({ key }) => key);
  await Promise.all([
    tx.run(nodesText, { nodes }),
    tx.run(edgesText, { edges: wanted.flatMap(edgeRows) }),
    ...types.map((type) => tx.run(surplusText(type), { keys })),
  ]);
  return undefined;
};

/**
 * Makes the system nodes in the own database of a project those of its records. Does nothing for a project that is not behind, or
 * not ACTIVE.
 *
 * @throws as `Database.write`, when one of both databases is unavailable: the project stays behind.
 */
export const followSystemNodes = async (parts: SystemNodesParts, id: Gid): Promise<void> => {
  const { graph, keys, collections } = parts;
  const nodes = new Map(
    [...collections].flatMap(([kind, { systemNode }]) =>
      systemNode === undefined ? [] : [[kind, systemNode] as const],
    ),
  );
  const [row] = await graph.shared.read(outOfSyncText, { id, kinds: [...nodes.keys()] }, options);
  if (row === undefined) return;
  const { db_connection: sealed } = JSON.parse(String(row["data"])) as { db_connection?: string }; // written here
  if (sealed === undefined) return;
  const wanted = (row["records"] as readonly unknown[]).map(recordOf).flatMap((record): Wanted[] => {
    const node = nodes.get(record.kind);
    return node === undefined ? [] : [{ node, record }];
  });
  const generation = Number(row["generation"]);
  const own = graph.of({ id, pk: ownKey, connection: openConnection(keys, id, sealed) });
  const types = [...nodes.values()].map(({ type }) => type);
  const later = await own.write((tx) => write(tx, id, generation, types, wanted), options);
  if (later === undefined) {
    await graph.shared.write((tx) => tx.run(caughtUpText, { id, generation }), options);
    return;
  }
  const raised = await graph.shared.write((tx) => tx.run(raiseText, { id, generation, later }), options);
  if (raised.length > 0) await followSystemNodes(parts, id);
};
