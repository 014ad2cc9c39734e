import { z } from "zod";
import { optional } from "../optional.ts";

/**
 * What becomes of an item that names something that does not exist: `fail` refuses the batch, `skip` writes the rest.
 * Absent: `fail`.
 */
export const OnMissing = optional(z.enum(["fail", "skip"], { error: '"fail" or "skip" expected' }));

export type OnMissing = z.output<typeof OnMissing>;
