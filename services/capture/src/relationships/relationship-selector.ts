import type { DeleteRelationshipsRequest, Gid } from "@ikg/contracts";
import type { Row } from "@ikg/graph";
import { nodeKey, type ProjectKey, relationshipDiscriminator } from "@ikg/physical";
import type { Placed } from "../locations/in-places.ts";
import { relationshipGid } from "./relationship-rows.ts";

export type Item = DeleteRelationshipsRequest["relationships"][number];

/** What an item of a delete means, as its statement wants it; `k` is what rows are sorted by. */
export interface RelationshipSelector {
  readonly type: string;
  /** Place of the item in the request. */
  readonly at: number;
  readonly k: string;
  readonly a: string;
  readonly b: string;
  /** Null: all parallel ones. */
  readonly d: string | null;
}

/** The row of each item. */
export const selectorsOf = (
  items: readonly Placed<Item>[],
  pk: ProjectKey,
): readonly RelationshipSelector[] =>
  items.map(({ item: { source, target, type, properties }, at }) => {
    const a = nodeKey(pk, source.type, source.external_id);
    const b = nodeKey(pk, target.type, target.external_id);
    // NUL is in no key.
    return {
      type,
      at,
      k: `${a}\0${b}`,
      a,
      b,
      d: properties === undefined ? null : relationshipDiscriminator(properties),
    };
  });

/** The gid of the relationship that an item found: of several parallel ones the first by what distinguishes them. */
export const foundGid = (project: Gid, item: Item, row: Row): Gid =>
  relationshipGid(project, item.source, item.type, item.target, String(row["d"]));
