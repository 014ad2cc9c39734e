import type { NodePath, RelationshipPath } from "../paths/path.ts";
import type { Given } from "./given.ts";

/** One metadata value of a property. */
export interface MetadataWrite {
  readonly key: string;
  readonly given: Given;
}

/** One property to set: its value, or the name of the resolver that knows it (policies specification 8.2). */
export interface PropertyWrite {
  readonly name: string;
  readonly content: "value" | "external_value";
  readonly given: Given;
  readonly metadata: readonly MetadataWrite[];
}

/** An entry of `upsert_nodes`; `name` is an alias of the pattern, or the name of a new node. */
export type NodeUpsert = { readonly name: string; readonly properties: readonly PropertyWrite[] } & (
  | { readonly kind: "existing" }
  | {
      readonly kind: "new";
      readonly type: string;
      readonly externalId: Given;
      /** Extra labels, the marker of identity nodes not among them. */
      readonly labels: readonly string[];
      readonly isIdentity: boolean;
    }
);

/** An entry of `upsert_relationships` (policies specification 8.3). */
export type RelationshipUpsert = { readonly name: string; readonly properties: readonly PropertyWrite[] } & (
  | { readonly kind: "existing" }
  | {
      readonly kind: "new";
      readonly type: string;
      readonly source: string;
      readonly target: string;
      /** The property whose value tells parallel relationships apart (README decision 20). */
      readonly discriminating: string | undefined;
    }
);

/** What a query writes, in the order of its lists. */
export interface Writes {
  readonly upsertNodes: readonly NodeUpsert[];
  readonly upsertRelationships: readonly RelationshipUpsert[];
  readonly deleteNodes: readonly NodePath[];
  readonly deleteRelationships: readonly RelationshipPath[];
}

/** Most entries of `upsert_nodes` and of `upsert_relationships` (policies specification 8.1). */
export const maxUpserts = 50;
