import { z } from "zod";
import { freeObject } from "./entities.ts";
import { nodeType } from "../capture/node-ref.ts";

/** Query of GET /access/v1/policies. */
export const PoliciesQuery = z.object({ subject_type: nodeType.optional() });

/** Its answer: policies as their authors wrote them, without ids and names. */
export const Policies = z.object({
  results: z.array(z.object({ policy: freeObject, tags: z.array(z.string()).readonly() })),
});

export type Policies = z.output<typeof Policies>;
