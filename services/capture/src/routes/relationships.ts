import {
  DeleteRelationshipPropertiesRequest,
  DeleteRelationshipsRequest,
  type Gid,
  UpsertRelationshipsRequest,
  type UpsertResults,
} from "@ikg/contracts";
import type { Route } from "@ikg/service";
import type { CaptureParts } from "../batches/verb.ts";
import { deleteRelationshipProperties } from "../relationships/delete-properties.ts";
import { deleteRelationships } from "../relationships/delete-relationships.ts";
import { upsertRelationships } from "../relationships/upsert-relationships.ts";
import { batch } from "./batch.ts";
import { relationshipsNote } from "./capture-note.ts";

const noteOf =
  (type: Parameters<typeof relationshipsNote>[0]) =>
  (
    project: Gid,
    { relationships }: { readonly relationships: Parameters<typeof relationshipsNote>[2] },
    skipped: UpsertResults["skipped"] = [],
  ) =>
    relationshipsNote(type, project, relationships, new Set(skipped.map(({ index }) => index)));

/** Endpoints of relationships. */
export const relationshipRoutes = (parts: CaptureParts): readonly Route[] => [
  batch(
    parts,
    "upsert_relationships",
    "post",
    "/relationships",
    UpsertRelationshipsRequest,
    upsertRelationships(parts),
    noteOf("audit.capture.upsert.relationship"),
  ),
  batch(
    parts,
    "delete_relationships",
    "post",
    "/relationships/delete",
    DeleteRelationshipsRequest,
    deleteRelationships(parts),
    noteOf("audit.capture.delete.relationship"),
  ),
  batch(
    parts,
    "delete_relationship_properties",
    "post",
    "/relationships/properties/delete",
    DeleteRelationshipPropertiesRequest,
    deleteRelationshipProperties(parts),
    noteOf("audit.capture.delete.relationship.property"),
  ),
];
