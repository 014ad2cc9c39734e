import { z } from "zod";

/** Answer of every batch: one result per item, in the order of the request. */
export const CaptureResults = z.object({ results: z.array(z.object({ id: z.string() })) });

export type CaptureResults = z.output<typeof CaptureResults>;

/** An item that was left out: its place in the request, from 0, and why. */
export const SkippedItem = z.object({ index: z.int(), reason: z.string() });

export type SkippedItem = z.output<typeof SkippedItem>;

/**
 * Answer of a batch that writes. `skipped` is there when the request has `"on_missing": "skip"`; the result of an item
 * that was left out has the empty id.
 */
export const UpsertResults = CaptureResults.extend({ skipped: z.array(SkippedItem).optional() });

export type UpsertResults = z.output<typeof UpsertResults>;

/** Answer of PUT /capture/v1/nodes/{id}: clients read the one or the other. */
export const PutNodeResult = CaptureResults.extend({ id: z.string() });

export type PutNodeResult = z.output<typeof PutNodeResult>;
