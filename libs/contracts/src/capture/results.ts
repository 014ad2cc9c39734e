import { z } from "zod";

/** Answer of every batch: one result per item, in the order of the request. */
export const CaptureResults = z.object({ results: z.array(z.object({ id: z.string() })) });

export type CaptureResults = z.output<typeof CaptureResults>;
