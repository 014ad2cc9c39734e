import { z } from "zod";

const entity = z.strictObject({ type: z.string(), id: z.string().optional() });

/** A policy that took part, by the version that did. */
export const PolicyVersion = z.strictObject({ id: z.string(), version: z.int() });
export type PolicyVersion = z.output<typeof PolicyVersion>;

/** Fields that `AUDIT_INPUT_PARAMS=none` left out of a record. */
export const Omitted = z.array(z.enum(["input_params", "inputs"]));

const questionFields = {
  subject: entity.optional(),
  resource: entity.optional(),
  action: z.string().optional(),
  input_params: z.record(z.string(), z.unknown()).optional(),
  /** Everything that the question was decided from, besides the graph: a replay needs it. */
  inputs: z.record(z.string(), z.unknown()).optional(),
  /** Which of the two fields before were there and are left out. */
  omitted: Omitted.optional(),
};
const policyFields = {
  /** The policies that could have applied. */
  tried: z.array(PolicyVersion).optional(),
  granted_by: PolicyVersion.optional(),
};

/** One decision. */
export const evaluation = z.strictObject({
  ...questionFields,
  ...policyFields,
  decision: z.boolean().optional(),
  consistency_token: z.string().optional(),
});

/** A batch of decisions, in the order of its entries. */
export const evaluations = z.strictObject({
  count: z.int(),
  evaluations: z
    .array(z.strictObject({ ...questionFields, ...policyFields, decision: z.boolean() }))
    .optional(),
  consistency_token: z.string().optional(),
});

/** A search for subjects, resources or actions. It names no policy that granted: each result may have another one. */
export const search = z.strictObject({
  ...questionFields,
  tried: policyFields.tried,
  results: z.int().optional(),
  consistency_token: z.string().optional(),
});

/** A simulation: its caller and the change it was run for. Its result is not recorded. */
export const simulation = z.strictObject({
  /** Records that the changes name, as `collection/name`. */
  changes: z.array(z.string()),
  /** Explicit questions; absent where pairs were looked for. */
  questions: z.int().optional(),
  /** Names of knowledge queries that were run before and after; absent where there were none. */
  queries: z.array(z.string()).optional(),
  /** True where rows of queries were answered with their values. */
  values: z.literal(true).optional(),
});

/** A replay of recorded decisions: how many records. What they say is not recorded again. */
export const replay = z.strictObject({ records: z.int() });
