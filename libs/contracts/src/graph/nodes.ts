import { z } from "zod";
import { nodeType } from "../capture/node-ref.ts";
import { storableText } from "../capture/value.ts";
import { text } from "../names.ts";
import { gidOf } from "../records/fields.ts";
import { graphPageFields } from "./page.ts";

/**
 * Query of GET /graph/v1/nodes. `type`: only nodes of this type; `prefix`: of those the ones whose external id begins with
 * it, case-sensitive.
 */
export const GraphNodesQuery = z
  .object({
    project_id: gidOf("project"),
    type: nodeType.optional(),
    prefix: text(0, 256).optional(),
    ...graphPageFields,
  })
  .refine(({ type, prefix }) => type !== undefined || (prefix ?? "") === "", {
    path: ["prefix"],
    error: "needs type: the node type of the ids that begin with it",
  });

export type GraphNodesQuery = z.output<typeof GraphNodesQuery>;

/** Path of a node, as far as every request with it has the fields. */
export const nodePathFields = {
  project_id: gidOf("project"),
  /** Instead of the one in the path: clients remove a segment `.` or `..` from a path (RFC 3986, 5.2.4). */
  external_id: storableText(1, 256).optional(),
};

/** Query of GET /graph/v1/nodes/{type}/{external_id}. */
export const GraphNodeQuery = z.object(nodePathFields);

export type GraphNodeQuery = z.output<typeof GraphNodeQuery>;

/** A node without its properties. */
export const NodeSummary = z.object({
  type: z.string(),
  external_id: z.string(),
  id: z.string(),
  is_identity: z.boolean(),
  /** Extra labels, without that of the type. */
  labels: z.array(z.string()),
  /** Where a node is whose project has a composite database; absent for the default database. */
  location: z.string().optional(),
  create_time: z.string().optional(),
  update_time: z.string().optional(),
});

export type NodeSummary = z.output<typeof NodeSummary>;

/** A page of nodes, by type and external id in the order of their code points. */
export const NodeSummaries = z.object({
  items: z.array(NodeSummary),
  has_more: z.boolean(),
  next_cursor: z.string(),
});

export type NodeSummaries = z.output<typeof NodeSummaries>;

/** A property as it is stored: a value, or the name of the resolver that knows it. */
export const ReadProperty = z.object({
  type: z.string(),
  value: z.unknown().optional(),
  external_value: z.string().optional(),
  /** `verified_time`, `source`, `assurance_level`, `custom_metadata`. */
  metadata: z.record(z.string(), z.unknown()).optional(),
  update_time: z.string().optional(),
});

export type ReadProperty = z.output<typeof ReadProperty>;

const score = z.number().nullable();

/** Trust scores of a node; a dimension that its profile does not name is null. */
export const NodeTrustScore = z.object({
  _final_score: score,
  _validity: score,
  _verification: score,
  _freshness: score,
  _origin: score,
  _completeness: score,
  profile_id: z.string(),
  update_time: z.string(),
});

export type NodeTrustScore = z.output<typeof NodeTrustScore>;

/** GET /graph/v1/nodes/{type}/{external_id}: everything that is stored of a node. */
export const WholeNode = NodeSummary.extend({
  properties: z.array(ReadProperty),
  /** Absent until a trust score profile has scored the node. */
  trust_score: NodeTrustScore.optional(),
});

export type WholeNode = z.output<typeof WholeNode>;
