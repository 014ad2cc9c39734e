import { type DeleteMetadataRequest, namedMetadata } from "@ikg/contracts";
import { metadataField } from "@ikg/physical";
import type { CaptureParts, Verb } from "../batches/verb.ts";
import { removeFields } from "./remove-fields.ts";

const allCustom = "custom_metadata";

/** Removes metadata of a property; the value stays. */
export const deleteMetadata =
  (parts: CaptureParts): Verb<DeleteMetadataRequest> =>
  (projectId, { nodes }, request) =>
    removeFields(
      parts,
      projectId,
      nodes,
      ({ property_type: property, metadata_fields: fields }) => {
        const field = (key: string): string => metadataField(property, key);
        const keys = fields.filter((key) => key !== allCustom);
        return {
          exact: keys.map(field),
          below: keys.length === fields.length ? [] : [field("")],
          keep: namedMetadata.map(field),
        };
      },
      request,
    );
