import { z } from "zod";

const key = z.strictObject({ type: z.string(), external_id: z.string() });
const shared = {
  count: z.int().min(0),
  /** Names of the properties, each once. */
  properties: z.array(z.string()).optional(),
  /** Their values by node or relationship; only with `AUDIT_VALUES=full`. */
  values: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  /** The import that they came with, whose record has their number and not their ids. */
  import_id: z.string().optional(),
  /** That import was cancelled. */
  cancelled: z.literal(true).optional(),
};

/** Nodes that were captured or deleted. */
export const nodes = z.strictObject({
  ...shared,
  keys: z.array(key).optional(),
  /** gid of a node that was named by it. */
  id: z.string().optional(),
});

/** Relationships that were captured or deleted. */
export const relationships = z.strictObject({
  ...shared,
  relationships: z.array(z.strictObject({ type: z.string(), source: key, target: key })).optional(),
  /** How many more were left out, because an end did not exist and the request has `skip`. */
  skipped: z.int().min(1).optional(),
});

/** An export of the graph that has begun: whether its reader took all of it is not known then. */
export const graphExport = z.strictObject({
  /** The node types that were asked for; absent for all. */
  types: z.array(z.string()).optional(),
});

/** A look of an administrator at nodes of the graph, also at some that are not there. */
export const graphRead = z.strictObject({
  /** What was read: a list of nodes, one node, or the neighbours of one. */
  read: z.enum(["nodes", "node", "neighbours"]),
  type: z.string().optional(),
  /** Of a list: the beginning of the external ids. */
  prefix: z.string().optional(),
  /** The node, or the one whose neighbours were read. */
  external_id: z.string().optional(),
  /** Of neighbours: the types of relationships that were asked for; absent for all. */
  relationship_types: z.array(z.string()).optional(),
  direction: z.enum(["out", "in", "both"]).optional(),
  /** How many nodes the answer shows. */
  count: z.int().min(0),
});
