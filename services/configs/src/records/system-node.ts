import { newGid } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import {
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
import type { SystemNode } from "../collections/collection.ts";
import type { StoredRecord } from "./record.ts";

/** The key of a record's project in the graph. */
const projectKeyOf = async (tx: Transaction, record: StoredRecord): Promise<ProjectKey> => {
  const [row] = await tx.run(`MATCH (p:${recordLabel} {id: $id}) RETURN p.pk AS pk`, {
    id: record.projectId,
  });
  const pk = row?.["pk"];
  if (typeof pk !== "string") throw new Error("project without a key");
  return projectKey(pk);
};

/**
 * Writes the node of a record into its project's graph (runtime specification 6.2): `external_id` is the
 * record's gid. The containing record's node, when there is one, is linked to.
 */
export const writeSystemNode = async (
  tx: Transaction,
  node: SystemNode,
  record: StoredRecord,
): Promise<void> => {
  const pk = await projectKeyOf(tx, record);
  // Labels as a parameter: one text, and one plan of the database, for every project.
  const labels = [projectLabel(pk), typeLabel(node.type, pk)];
  const properties = {
    [keyField]: nodeKey(pk, node.type, record.id),
    id: newGid("node", Date.parse(record.createTime)),
    type: node.type,
    external_id: record.id,
    is_identity: false,
    create_time: record.createTime,
    update_time: record.createTime,
    [propertyField("name")]: record.name,
    [propertyField("display_name")]: record.displayName ?? record.name,
  };
  const create = `CREATE (n:${nodeLabel}) SET n:$($labels), n = $properties`;
  if (node.belongsTo === undefined || record.parentId === undefined) {
    await tx.run(create, { labels, properties });
    return;
  }
  const edge = {
    [relationshipFields.createTime]: record.createTime,
    [relationshipFields.updateTime]: record.createTime,
    [relationshipFields.discriminator]: "",
  };
  await tx.run(
    `${create} WITH n MATCH (o:${nodeLabel} {${keyField}: $owner}) ` +
      `CREATE (n)-[r:${quoteName(systemRelationships.belongsTo)}]->(o) SET r = $edge`,
    { labels, properties, owner: nodeKey(pk, node.belongsTo, record.parentId), edge },
  );
};

/** Gives the node of a record its present display name. */
export const renameSystemNode = async (
  tx: Transaction,
  node: SystemNode,
  record: StoredRecord,
): Promise<void> => {
  const pk = await projectKeyOf(tx, record);
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
  const pk = await projectKeyOf(tx, first.record);
  const keys = removed.map(({ node, record }) => nodeKey(pk, node.type, record.id));
  await tx.run(`UNWIND $keys AS key MATCH (n:${nodeLabel} {${keyField}: key}) DETACH DELETE n`, { keys });
};
