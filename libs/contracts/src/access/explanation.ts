import { z } from "zod";

const TextPosition = z.object({ line: z.int(), column: z.int() });
const Node = z.object({ type: z.string(), id: z.string() });

const outcomes = [
  "granted",
  "filter_not_satisfied",
  "pattern_not_matched",
  "parameter_missing",
  "wrong_location",
  "unknown",
] as const;

/** A part of a policy's pattern, by its place in the author's text. */
export const PatternPart = z.object({
  kind: z.enum(["clause", "node", "hop", "predicate"]),
  text: z.string(),
  from: TextPosition,
  to: TextPosition,
  /** False when the database did not finish in time: an earlier part may be the one. */
  certain: z.boolean(),
});

const PolicyVersion = z.object({ id: z.string(), name: z.string(), version: z.int() });

/** The result of one policy and its reasons. It contains no property values of the graph; node ids and types only. */
export const CandidateExplanation = z.object({
  policy: PolicyVersion,
  outcome: z.enum(outcomes),
  /** The first leaf that keeps the filter from being true, by its place in the policy and in its author's words. */
  filter: z
    .object({
      path: z.string(),
      operator: z.string(),
      attribute: z.unknown().optional(),
      value: z.unknown().optional(),
      /** Of a leaf with a `datetime` object. */
      compares: z.literal("instants").optional(),
      /** True for a leaf below NOT, which would have to be false. */
      negated: z.boolean().optional(),
      token_missing: z.boolean(),
    })
    .optional(),
  parameters: z.array(z.string()).readonly().optional(),
  location: z.array(z.string()).readonly().optional(),
  /** Ends that the graph does not hold. */
  missing: z
    .array(z.enum(["subject", "resource"]))
    .readonly()
    .optional(),
  /** True when the subject would have to be an identity node and is none. */
  identity_required: z.boolean().optional(),
  /** The first part of the pattern after which nothing is left. */
  part: PatternPart.optional(),
  /** One match that grants. */
  path: z
    .object({
      nodes: z.array(Node),
      relationships: z.array(z.object({ type: z.string(), source: Node, target: Node })),
    })
    .optional(),
  /** What it took to find that out. */
  statements: z.int(),
  database_hits: z.int(),
});

export const Explanation = z.object({
  /** The policy that decided, of a decision that is granted. */
  granted_by: PolicyVersion.optional(),
  /** Oldest policy first; `granted` may stand at several. */
  candidates: z.array(CandidateExplanation),
  /** Candidates that were not looked at, because there are too many or the time was up. */
  omitted: z.int().optional(),
  milliseconds: z.number(),
});

export type CandidateExplanation = z.output<typeof CandidateExplanation>;
export type Explanation = z.output<typeof Explanation>;
