import { z } from "zod";
import { relationshipType } from "../capture/node-ref.ts";
import { nodePathFields, NodeSummary, ReadProperty } from "./nodes.ts";
import { graphLimits, graphPageFields } from "./page.ts";

const typesFault = `1-${graphLimits.types} relationship types with commas between them expected`;

/** Which way a relationship points, seen from the node that the request names. */
const directions = ["out", "in"] as const;

/**
 * Query of GET /graph/v1/nodes/{type}/{external_id}/neighbours. `types`: only relationships of these types; `direction`: only
 * those that leave the node (`out`) or end there (`in`).
 */
export const NeighboursQuery = z.object({
  ...nodePathFields,
  types: z
    .string({ error: typesFault })
    .transform((text) => [...new Set(text.split(","))].toSorted())
    .refine(
      (types) =>
        types.length <= graphLimits.types && types.every((type) => relationshipType.safeParse(type).success),
      { error: typesFault },
    )
    .optional(),
  direction: z.enum([...directions, "both"], { error: '"out", "in" or "both" expected' }).default("both"),
  ...graphPageFields,
});

export type NeighboursQuery = z.output<typeof NeighboursQuery>;

/** A relationship of a node with the node at its other end. */
export const Neighbour = z.object({
  relationship: z.object({
    type: z.string(),
    /** `out` also for a relationship of a node with itself. */
    direction: z.enum(directions),
    properties: z.array(ReadProperty.pick({ type: true, value: true })),
    create_time: z.string().optional(),
    update_time: z.string().optional(),
  }),
  node: NodeSummary,
});

export type Neighbour = z.output<typeof Neighbour>;

/** A page of neighbours, by relationship type; the order is the same from page to page. */
export const Neighbours = z.object({
  items: z.array(Neighbour),
  has_more: z.boolean(),
  next_cursor: z.string(),
});

export type Neighbours = z.output<typeof Neighbours>;
