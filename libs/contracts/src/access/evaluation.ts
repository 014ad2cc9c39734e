import { z } from "zod";
import { Explanation } from "./explanation.ts";
import { Action, Context, Entity } from "./entities.ts";

/** Body of POST /access/v1/evaluation (AuthZEN 1.0, section 6). */
export const EvaluationRequest = z.object({
  subject: Entity,
  resource: Entity,
  action: Action,
  context: Context.nullish(),
});

/** Answer to one question. `context` is there only when there is something to report. */
export const Decision = z.object({
  decision: z.boolean(),
  context: z
    .object({
      reason: z.string().optional(),
      advice: z.array(z.record(z.string(), z.string())).readonly().optional(),
      /** With `X-Explain: true`. */
      explanation: Explanation.optional(),
    })
    .optional(),
});

export type EvaluationRequest = z.output<typeof EvaluationRequest>;
export type Decision = z.output<typeof Decision>;
