import { z } from "zod";
import { captureLimits } from "./limits.ts";
import { listOf } from "./list.ts";
import { NodeRef, nodeRefFields, propertyName } from "./node-ref.ts";

const items = <S extends z.ZodType>(item: S) => listOf(item, 1, captureLimits.batch);
const names = listOf(propertyName, 1, captureLimits.names);

/** POST /capture/v1/nodes/delete. */
export const DeleteNodesRequest = z.object({ nodes: items(NodeRef) });

export type DeleteNodesRequest = z.output<typeof DeleteNodesRequest>;

/** POST /capture/v1/nodes/properties/delete. */
export const DeleteNodePropertiesRequest = z.object({
  nodes: items(z.object({ ...nodeRefFields, property_types: names }, { error: "object expected" })),
});

export type DeleteNodePropertiesRequest = z.output<typeof DeleteNodePropertiesRequest>;

/** POST /capture/v1/nodes/properties/metadata/delete. */
export const DeleteMetadataRequest = z.object({
  nodes: items(
    z.object(
      { ...nodeRefFields, property_type: propertyName, metadata_fields: names },
      { error: "object expected" },
    ),
  ),
});

export type DeleteMetadataRequest = z.output<typeof DeleteMetadataRequest>;
