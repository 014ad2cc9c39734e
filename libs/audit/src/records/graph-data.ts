import { z } from "zod";

const key = z.strictObject({ type: z.string(), external_id: z.string() });
const shared = {
  count: z.int().min(0),
  /** Names of the properties; with `AUDIT_VALUES=full` their values beside them. */
  properties: z.array(z.string()).optional(),
  values: z.record(z.string(), z.unknown()).optional(),
};

/** Nodes that were captured or deleted. */
export const nodes = z.strictObject({ ...shared, keys: z.array(key).optional() });

/** Relationships that were captured or deleted. */
export const relationships = z.strictObject({
  ...shared,
  relationships: z.array(z.strictObject({ type: z.string(), source: key, target: key })).optional(),
});
