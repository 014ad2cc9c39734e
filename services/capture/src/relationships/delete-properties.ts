import type { DeleteRelationshipPropertiesRequest } from "@ikg/contracts";
import { relationshipField } from "@ikg/physical";
import type { CaptureParts, Verb } from "../batches/verb.ts";
import { onSelected } from "./on-selected.ts";
import { removePropertiesText } from "./statements.ts";

/** Removes properties of relationships, which stay, and remain distinct from parallel ones. */
export const deleteRelationshipProperties =
  (parts: CaptureParts): Verb<DeleteRelationshipPropertiesRequest> =>
  (projectId, body, request) =>
    onSelected(
      parts,
      projectId,
      body,
      {
        text: removePropertiesText,
        more: ({ at }) => ({
          p: Object.fromEntries(
            (body.relationships[at]?.property_types ?? []).map((name) => [relationshipField(name), null]),
          ),
        }),
        params: { now: parts.now().toISOString() },
      },
      request,
    );
