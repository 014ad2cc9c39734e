import {
  derivedGid,
  discriminatingEntry,
  type Gid,
  type NodeRef,
  type UpsertRelationship,
} from "@ikg/contracts";
import { nodeKey, type ProjectKey, relationshipDiscriminator, relationshipField } from "@ikg/physical";

/** What one relationship of a batch becomes: all items of the batch that name it, in request order. */
export interface RelationshipRow {
  readonly type: string;
  readonly sourceKey: string;
  readonly targetKey: string;
  readonly discriminator: string;
  readonly id: Gid;
  /** Physical keys to set. */
  readonly fields: Record<string, unknown>;
}

export interface RelationshipBatch {
  /** Sorted by source and target, so that parallel batches lock in the same order. */
  readonly rows: readonly RelationshipRow[];
  /** The row of each item of the request. */
  readonly rowOfItem: readonly RelationshipRow[];
}

/** The value that tells this relationship from parallel ones. */
const discriminatorOf = ({ properties = [] }: UpsertRelationship): string => {
  const named = properties.find((property) => property.type === discriminatingEntry)?.value;
  const value =
    named === undefined ? undefined : properties.find((property) => property.type === named)?.value;
  return relationshipDiscriminator(value);
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The gid of a relationship: it follows from what identifies it.
 */
export const relationshipGid = (
  projectId: Gid,
  source: NodeRef,
  type: string,
  target: NodeRef,
  discriminator: string,
): Gid =>
  derivedGid("relationship", [
    projectId,
    source.type,
    source.external_id,
    type,
    target.type,
    target.external_id,
    discriminator,
  ]);

/** Folds the items of a request into one row per relationship: what later items set wins. */
export const relationshipBatch = (
  relationships: readonly UpsertRelationship[],
  projectId: Gid,
  pk: ProjectKey,
): RelationshipBatch => {
  const rows = new Map<Gid, RelationshipRow>();
  const rowOfItem = relationships.map((relationship) => {
    const { source, target, type } = relationship;
    const discriminator = discriminatorOf(relationship);
    const id = relationshipGid(projectId, source, type, target, discriminator);
    let row = rows.get(id);
    if (row === undefined) {
      row = {
        type,
        sourceKey: nodeKey(pk, source.type, source.external_id),
        targetKey: nodeKey(pk, target.type, target.external_id),
        discriminator,
        id,
        fields: {},
      };
      rows.set(id, row);
    }
    for (const property of relationship.properties ?? [])
      row.fields[relationshipField(property.type)] = property.value;
    return row;
  });
  const sorted = [...rows.values()].sort(
    (a, b) =>
      compare(a.type, b.type) ||
      compare(a.sourceKey, b.sourceKey) ||
      compare(a.targetKey, b.targetKey) ||
      compare(a.discriminator, b.discriminator),
  );
  return { rows: sorted, rowOfItem };
};
