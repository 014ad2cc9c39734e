import { z } from "zod";
import { optional } from "../optional.ts";

const values = z.record(z.string(), z.unknown(), { error: "object expected" });
const end = z.object({
  id: z
    .string({ error: "string expected" })
    .min(1, { error: "1-256 characters" })
    .max(256, { error: "1-256 characters" }),
});

/** Members of a validation besides the record itself: what its statements are, and what they cost for a sample. */
export const PreviewOptions = z.object({
  preview: optional(z.boolean({ error: "true or false" })),
  sample: optional(
    z.object({
      /** External ids; the types are those of the policy. */
      subject: optional(end),
      resource: optional(end),
      input_params: optional(values),
      /** Claims, as if a token with them had been introspected. */
      token: optional(values),
    }),
  ),
});

export type PreviewOptions = z.output<typeof PreviewOptions>;

/** Something in a plan that costs more the larger a graph is. */
export const planFindings = {
  "label-scan": "every node of a type is read",
  "all-nodes-scan": "every node of the database is read",
  "cartesian-product": "every row of one part is combined with every row of another",
  "filter-after-expand": "neighbours are read first and filtered afterwards",
  "open-length": "a path is followed for ten steps, as many as an open length may have",
} as const;

export type PlanFinding = keyof typeof planFindings;

/** An operator of a plan, from the result down. Rows and hits only where the statement was run for a sample. */
export interface PreviewedOperator {
  readonly operator: string;
  readonly details?: string | undefined;
  /** The index that it uses. */
  readonly index?: string | undefined;
  readonly estimated_rows: number;
  readonly rows?: number | undefined;
  readonly hits?: number | undefined;
  readonly children: readonly PreviewedOperator[];
}

const PreviewedOperator = z.object({
  operator: z.string(),
  details: z.string().optional(),
  index: z.string().optional(),
  estimated_rows: z.int(),
  rows: z.int().optional(),
  hits: z.int().optional(),
  /** Operators of the same form; the document shows one level. */
  children: z.array(z.looseObject({ operator: z.string() })),
}) as unknown as z.ZodType<PreviewedOperator>;

/** POST /configs/v1/{collection}/validate: `statements` only with `preview`. */
export const Validation = z.object({
  warnings: z.array(z.looseObject({})),
  statements: z
    .array(
      z.object({
        purpose: z.string(),
        /** As it runs; the key of the project is replaced by `p`. */
        cypher: z.string(),
        /** Names of what it takes. */
        parameters: z.array(z.string()),
        /** Absent where the statement cannot be planned by itself; `reason` says why. */
        plan: PreviewedOperator.optional(),
        reason: z.string().optional(),
        findings: z.array(
          z.object({
            code: z.enum(Object.keys(planFindings) as [PlanFinding, ...PlanFinding[]]),
            text: z.string(),
            operator: z.string(),
          }),
        ),
        /** Of the sample. */
        rows: z.int().optional(),
        hits: z.int().optional(),
      }),
    )
    .optional(),
});

export type Validation = z.output<typeof Validation>;
