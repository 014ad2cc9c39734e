import { resolverReasons } from "@ikg/contracts";
import { z } from "zod";
import { Omitted } from "./decisions.ts";

const key = z.strictObject({ type: z.string(), external_id: z.string() });
const versioned = z.strictObject({ id: z.string(), version: z.int() });

/** A knowledge query that was executed. */
export const query = z.strictObject({
  /** Without a version when there is no such query. */
  query: z.strictObject({ id: z.string(), version: z.int().optional() }),
  policy: versioned.optional(),
  subject: z.strictObject({ type: z.string(), id: z.string().optional() }).optional(),
  input_params: z.record(z.string(), z.unknown()).optional(),
  omitted: Omitted.optional(),
  rows: z.int().optional(),
  page: z.int().optional(),
  /** Nodes that were written or lost properties, at most 1,000 of them. */
  upserted: z.array(key).optional(),
  /** Nodes that were deleted, at most 1,000 of them. */
  deleted: z.array(key).optional(),
  /** How many relationships were written or lost properties, and how many were deleted. */
  relationships: z.strictObject({ upserted: z.int(), deleted: z.int() }).optional(),
  /** External data resolvers that were called, as properties name them. */
  resolvers: z.array(z.string()).optional(),
  /** Those of them whose service gave no usable answer, or may not be called; a matter of one call alone is none. */
  failed_resolvers: z
    .array(z.strictObject({ resolver: z.string(), reason: z.enum(resolverReasons) }))
    .optional(),
});

/** A call over the Model Context Protocol. */
export const call = z.strictObject({ method: z.string(), tool: z.string().optional(), outcome: z.string() });

/** A run of the trust scorer. */
export const run = z.strictObject({
  profile_id: z.string(),
  run_id: z.string(),
  nodes: z.int().min(0),
  start_time: z.string(),
  end_time: z.string(),
});

export const signingFailures = [
  "access_denied",
  "not_found",
  "unsupported_key",
  "throttled",
  "unavailable",
  "kid_reused",
] as const;

/** What became of signing. */
export const signing = z.strictObject({
  config_id: z.string().optional(),
  provider: z.string(),
  kid: z.string(),
  reason: z.enum(signingFailures).optional(),
});

/**
 * The Redis that held records which waited was restarted, restored or replaced: records of this chain that were made between
 * `since`, when its last batch was signed, and `until` may be missing.
 */
export const streams = z.strictObject({ since: z.string().optional(), until: z.string() });
