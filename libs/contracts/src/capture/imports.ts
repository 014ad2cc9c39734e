import { z } from "zod";
import { UpsertNode } from "./upsert-nodes.ts";
import { UpsertRelationship } from "./upsert-relationships.ts";

/** Limits of imports besides those of their project. */
export const importLimits = {
  /** Bytes of one line; a longer one is rejected. */
  lineBytes: 1024 * 1024,
  /** Reasons that are kept of one rejected line. */
  reasons: 10,
  /** Rejected lines that are kept of one import; the others are counted. */
  rejectionsKept: 10_000,
  /** Ended imports of a project that can still be read. */
  ended: 100,
  /** Imports in a list. */
  listed: 100,
  /** Rejected lines in a page: by default, and at most. */
  page: 100,
  largestPage: 1_000,
} as const;

/** A line that writes a node: the fields and rules of POST /capture/v1/nodes. */
export const NodeLine = z.object({ node: UpsertNode });

/** A line that writes a relationship: the fields and rules of POST /capture/v1/relationships. */
export const RelationshipLine = z.object({ relationship: UpsertRelationship });

/** The last line of an export: without it the lines are not all that there is. An import skips it. */
export const CompleteLine = z.object({
  complete: z.object({ nodes: z.int().min(0), relationships: z.int().min(0) }),
});

export type CompleteLine = z.output<typeof CompleteLine>;

/** What an import is at: its lines come in, it waits for a worker, rows are written, or how it ended. */
const importStatus = ["receiving", "queued", "running", "done", "cancelled", "failed"] as const;

export type ImportStatus = (typeof importStatus)[number];

const count = z.number().int();
const progress = z.object({ total: count, written: count });

/** GET /capture/v1/imports/{id}. Numbers count lines. */
export const Import = z.object({
  id: z.string(),
  status: z.enum(importStatus),
  create_time: z.string(),
  start_time: z.string().optional(),
  end_time: z.string().optional(),
  /** Why it failed. */
  reason: z.string().optional(),
  /** Lines received, blank ones included. */
  lines: count,
  nodes: progress,
  relationships: progress,
  /** `not_kept`: how many of them cannot be listed, because there are too many. */
  rejected: z.object({ count, not_kept: count.optional(), href: z.string().optional() }),
  percent: z.number(),
  rows_per_second: z.number(),
});

export type Import = z.output<typeof Import>;

/** GET /capture/v1/imports. */
export const Imports = z.object({ data: z.array(Import) });

export type Imports = z.output<typeof Imports>;

/** GET /capture/v1/imports/{id}/rejected: lines in their order, and where the next ones are. */
export const RejectedLines = z.object({
  data: z.array(z.object({ line: count, errors: z.array(z.string()) })),
  next_href: z.string().optional(),
});

export type RejectedLines = z.output<typeof RejectedLines>;

const pageSizeFault = `integer from 1 to ${importLimits.largestPage} expected`;

/** Query of the rejected lines; `page_token` is the last line already seen. */
export const RejectedLinesQuery = z.object({
  page_token: z.coerce.number({ error: "line number expected" }).int().min(0).default(0),
  page_size: z.coerce
    .number({ error: pageSizeFault })
    .int({ error: pageSizeFault })
    .min(1, { error: pageSizeFault })
    .max(importLimits.largestPage, { error: pageSizeFault })
    .default(importLimits.page),
});
