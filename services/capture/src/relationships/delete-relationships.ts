import type { DeleteRelationshipsRequest } from "@ikg/contracts";
import type { CaptureParts, Verb } from "../batches/verb.ts";
import { onSelected } from "./on-selected.ts";
import { deleteRelationshipsText } from "./statements.ts";

/** Removes relationships; their nodes stay. */
export const deleteRelationships =
  (parts: CaptureParts): Verb<DeleteRelationshipsRequest> =>
  (projectId, body, request) =>
    onSelected(parts, projectId, body, { text: deleteRelationshipsText }, request);
