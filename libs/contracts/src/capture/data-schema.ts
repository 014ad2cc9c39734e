import { z } from "zod";
import { gidOf } from "../records/fields.ts";

/** Query of GET /data-schema/v1. `project_id`: which project; an application agent's own when it is absent. */
export const DataSchemaQuery = z.object({ project_id: gidOf("project").optional() });

/** What values of a property are, seen over all that have it. */
const valueTypes = ["string", "integer", "float", "boolean", "array", "external"] as const;

const Counted = z.object({
  count: z.int(),
  types: z.array(z.object({ type: z.enum(valueTypes), count: z.int() })),
});
const Property = z.object({
  ...Counted.shape,
  /** By name of the metadata. */
  metadata: z.record(z.string(), Counted).optional(),
});
const Label = z.object({ name: z.string(), count: z.int() });

/** Statistics of a project's graph in JSON Graph Format. */
export const DataSchema = z.object({
  graph: z.object({
    directed: z.literal(true),
    metadata: z.object({ created_at: z.string(), updated_at: z.string() }),
    nodes: z.record(
      z.string(),
      z.object({
        metadata: z.object({
          node_count: z.int(),
          properties: z.record(z.string(), Property),
          system_labels: z.array(Label),
          user_defined_labels: z.array(Label),
        }),
      }),
    ),
    edges: z.array(
      z.object({
        source: z.string(),
        target: z.string(),
        relation: z.string(),
        directed: z.literal(true),
        metadata: z.object({ count: z.int(), properties: z.record(z.string(), Counted) }),
      }),
    ),
  }),
});

export type DataSchema = z.output<typeof DataSchema>;
export type DataSchemaValueType = (typeof valueTypes)[number];
