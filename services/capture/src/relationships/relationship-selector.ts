import type { DeleteRelationshipsRequest, Gid } from "@ikg/contracts";
import type { Row } from "@ikg/graph";
import { nodeKey, type ProjectKey, relationshipDiscriminator } from "@ikg/physical";
import type { IndexedItem } from "../batches/write-by-database.ts";
import { relationshipGid } from "./relationship-rows.ts";

export type Item = DeleteRelationshipsRequest["relationships"][number];

/** Selects the relationships that an item of a delete names. */
export interface RelationshipSelector {
  readonly type: string;
  /** Index of the item in the request. */
  readonly at: number;
  /** Parallel batches lock relationships in the order of these keys. */
  readonly sortKey: string;
  readonly sourceKey: string;
  readonly targetKey: string;
  /** Null selects all parallel relationships. */
  readonly discriminator: string | null;
}

/** The selector of each item. */
export const selectorsOf = (
  items: readonly IndexedItem<Item>[],
  pk: ProjectKey,
): readonly RelationshipSelector[] =>
  items.map(({ item: { source, target, type, properties }, at }) => {
    const sourceKey = nodeKey(pk, source.type, source.external_id);
    const targetKey = nodeKey(pk, target.type, target.external_id);
    return {
      type,
      at,
      // Keys contain no NUL.
      sortKey: `${sourceKey}\0${targetKey}`,
      sourceKey,
      targetKey,
      discriminator: properties === undefined ? null : relationshipDiscriminator(properties),
    };
  });

/** The gid of the relationship that an item found: of several parallel ones the first by its discriminator. */
export const foundGid = (project: Gid, item: Item, row: Row): Gid =>
  relationshipGid(project, item.source, item.type, item.target, String(row["d"]));
