import { z } from "zod";
import { optional } from "../records/fields.ts";
import { captureLimits } from "./limits.ts";
import { listOf, refuseRepeatedTypes } from "./list.ts";
import { nodeRefFields, nodeType } from "./node-ref.ts";
import { Property } from "./property.ts";

/** One node to write (api specification 4.2). */
export const UpsertNode = z.object(
  {
    ...nodeRefFields,
    is_identity: optional(z.boolean({ error: "boolean expected" })),
    labels: optional(listOf(nodeType, 0, captureLimits.labels)),
    properties: optional(
      listOf(Property, 0, captureLimits.properties).superRefine(
        (properties, context) => refuseRepeatedTypes(properties, context),
        { when: () => true },
      ),
    ),
  },
  { error: "object expected" },
);

export type UpsertNode = z.output<typeof UpsertNode>;

/** POST and PUT /capture/v1/nodes. */
export const UpsertNodesRequest = z.object({ nodes: listOf(UpsertNode, 1, captureLimits.batch) });

export type UpsertNodesRequest = z.output<typeof UpsertNodesRequest>;
