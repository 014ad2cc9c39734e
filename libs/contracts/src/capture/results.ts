import { z } from "zod";

/** Answer of every batch: one result per item, in the order of the request. */
export const CaptureResults = z.object({ results: z.array(z.object({ id: z.string() })) });

export type CaptureResults = z.output<typeof CaptureResults>;

/** Answer of PUT /capture/v1/nodes/{id}: clients read the one or the other. */
export const PutNodeResult = CaptureResults.extend({ id: z.string() });

export type PutNodeResult = z.output<typeof PutNodeResult>;
