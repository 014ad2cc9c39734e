import type { DeleteNodePropertiesRequest } from "@ikg/contracts";
import { propertyField } from "@ikg/physical";
import type { CaptureParts, Verb } from "../batches/verb.ts";
import { removeFields } from "./remove-fields.ts";

/** Removes properties: value or reference, and all that is known about it. The node stays. */
export const deleteProperties =
  (parts: CaptureParts): Verb<DeleteNodePropertiesRequest> =>
  (projectId, { nodes }, request) =>
    removeFields(
      parts,
      projectId,
      nodes,
      ({ property_types: names }) => {
        const exact = names.map(propertyField);
        return { exact, below: exact.map((field) => `${field}.`), keep: [] };
      },
      request,
    );
