import { newGid } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import {
  graphOutOfSyncLabel,
  graphGeneration,
  keyField,
  nodeKey,
  nodeLabel,
  projectKey,
  type ProjectKey,
  projectLabel,
  propertyField,
  quoteName,
  recordLabel,
  relationshipFields,
  systemRelationships,
  typeLabel,
} from "@ikg/physical";
import type { SystemNode } from "./collection.ts";
import type { StoredRecord } from "./record.ts";

/** The assignments of a SET clause that mark the project bound to `name` as out of sync with its own database. */
export const outOfSyncAssignments = (name: string): string =>
  `${name}:${graphOutOfSyncLabel}, ${name}.${graphGeneration} = coalesce(${name}.${graphGeneration}, 0) + 1`;

const markOutOfSyncText = `MATCH (p:${recordLabel} {id: $id}) SET ${outOfSyncAssignments("p")}`;

/**
 * The key of a record's project in the shared graph. A database of its own has no part in this transaction: there the
 * nodes follow (`graphs/system-nodes.ts`), and this notes that they have to.
 */
const sharedKeyOf = async (tx: Transaction, record: StoredRecord): Promise<ProjectKey | undefined> => {
  const [row] = await tx.run(`MATCH (p:${recordLabel} {id: $id}) RETURN p.pk AS pk`, {
    id: record.projectId,
  });
  const pk = row?.["pk"];
  if (typeof pk === "string") return projectKey(pk);
  await tx.run(markOutOfSyncText, { id: record.projectId });
  return undefined;
};

/** The node of a record as it is created: `external_id` is the record's gid. */
export const systemNodeOf = (pk: ProjectKey, node: SystemNode, record: StoredRecord) => ({
  // Labels as a parameter: one text, and one plan of the database, for every project.
  labels: [projectLabel(pk), typeLabel(node.type, pk)],
  properties: {
    [keyField]: nodeKey(pk, node.type, record.id),
    id: newGid("node", Date.parse(record.createTime)),
    type: node.type,
    external_id: record.id,
    is_identity: false,
    create_time: record.createTime,
    update_time: record.createTime,
    [propertyField("name")]: record.name,
    [propertyField("display_name")]: record.displayName ?? record.name,
  },
});

/** The relationship to the node of the containing record, as it is created. */
export const systemEdgeOf = (record: StoredRecord) => ({
  [relationshipFields.createTime]: record.createTime,
  [relationshipFields.updateTime]: record.createTime,
  [relationshipFields.discriminator]: "",
});

/**
 * Writes the node of a record into its project's graph. The containing record's node, when there is one, is linked to.
 */
export const writeSystemNode = async (
  tx: Transaction,
  node: SystemNode,
  record: StoredRecord,
): Promise<void> => {
  const pk = await sharedKeyOf(tx, record);
  if (pk === undefined) return;
  const { labels, properties } = systemNodeOf(pk, node, record);
  const create = `CREATE (n:${nodeLabel}) SET n:$($labels), n = $properties`;
  if (node.belongsTo === undefined || record.parentId === undefined) {
    await tx.run(create, { labels, properties });
    return;
  }
  await tx.run(
    `${create} WITH n MATCH (o:${nodeLabel} {${keyField}: $owner}) ` +
      `CREATE (n)-[r:${quoteName(systemRelationships.belongsTo)}]->(o) SET r = $edge`,
    {
      labels,
      properties,
      owner: nodeKey(pk, node.belongsTo, record.parentId),
      edge: systemEdgeOf(record),
    },
  );
};

/** Gives the node of a record its present display name. */
export const renameSystemNode = async (
  tx: Transaction,
  node: SystemNode,
  record: StoredRecord,
): Promise<void> => {
  const pk = await sharedKeyOf(tx, record);
  if (pk === undefined) return;
  await tx.run(`MATCH (n:${nodeLabel} {${keyField}: $key}) SET n += $changes`, {
    key: nodeKey(pk, node.type, record.id),
    changes: {
      [propertyField("display_name")]: record.displayName ?? record.name,
      update_time: record.updateTime,
    },
  });
};

/** Removes the nodes of records of one project, with their relationships. */
export const removeSystemNodes = async (
  tx: Transaction,
  removed: readonly { readonly node: SystemNode; readonly record: StoredRecord }[],
): Promise<void> => {
  const [first] = removed;
  if (first === undefined) return;
  const pk = await sharedKeyOf(tx, first.record);
  if (pk === undefined) return;
  const keys = removed.map(({ node, record }) => nodeKey(pk, node.type, record.id));
  await tx.run(`UNWIND $keys AS key MATCH (n:${nodeLabel} {${keyField}: key}) DETACH DELETE n`, { keys });
};
