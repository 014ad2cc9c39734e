import { z } from "zod";
import { optional } from "../optional.ts";
import { captureLimits } from "./limits.ts";
import { listOf, refuseRepeatedTypes } from "./list.ts";
import { nodeRefFields, nodeType } from "./node-ref.ts";
import { OnMissing } from "./on-missing.ts";
import { Property } from "./property.ts";

/** What may be written of a node. */
const nodeFields = {
  is_identity: optional(z.boolean({ error: "boolean expected" })),
  labels: optional(listOf(nodeType, 0, captureLimits.labels)),
  properties: optional(
    listOf(Property, 0, captureLimits.properties).superRefine(
      (properties, context) => refuseRepeatedTypes(properties, context),
      { when: () => true },
    ),
  ),
};

/** One node to write. */
export const UpsertNode = z.object({ ...nodeRefFields, ...nodeFields }, { error: "object expected" });

/** PUT /capture/v1/nodes/{id}. */
export const PutNodeRequest = z.object(nodeFields);

export type PutNodeRequest = z.output<typeof PutNodeRequest>;

export type UpsertNode = z.output<typeof UpsertNode>;

/**
 * POST and PUT /capture/v1/nodes. `on_missing` is taken as for relationships: a node names nothing that has to exist, so
 * that none is ever left out.
 */
export const UpsertNodesRequest = z.object({
  nodes: listOf(UpsertNode, 1, captureLimits.batch),
  on_missing: OnMissing,
});

export type UpsertNodesRequest = z.output<typeof UpsertNodesRequest>;
