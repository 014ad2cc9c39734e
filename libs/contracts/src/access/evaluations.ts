import { z } from "zod";
import { freeObject } from "./entities.ts";
import { Decision } from "./evaluation.ts";

/** Entries of one batch at most. */
const maxEvaluations = 1_000;

const semantics = ["execute_all", "deny_on_first_deny", "permit_on_first_permit"] as const;

const given = { subject: freeObject.nullish(), resource: freeObject.nullish(), action: freeObject.nullish() };

/**
 * Body of POST /access/v1/evaluations (AuthZEN 1.0, section 7). The top level holds defaults, which are judged only as
 * part of an entry; entries are judged one by one, so that a fault of one is an answer of that one.
 */
export const EvaluationsRequest = z.object({
  ...given,
  context: freeObject.nullish(),
  evaluations: z
    .array(z.unknown(), { error: "array expected" })
    .max(maxEvaluations, { error: `at most ${maxEvaluations} entries` })
    .nullish(),
  options: z
    .looseObject(
      {
        evaluations_semantic: z
          .enum(semantics, { error: `one of ${semantics.join(", ")} expected` })
          .nullish(),
      },
      { error: "object expected" },
    )
    .nullish(),
});

/** What an entry that could not be evaluated answers besides `decision: false`. */
const EntryError = z.object({ status: z.int(), message: z.string() });

export const EntryDecision = z.object({
  decision: z.boolean(),
  context: z.object({ ...Decision.shape.context.unwrap().shape, error: EntryError.optional() }).optional(),
});

export const Decisions = z.object({ evaluations: z.array(EntryDecision) });

export type EvaluationsRequest = z.output<typeof EvaluationsRequest>;
export type EntryDecision = z.output<typeof EntryDecision>;
export type Decisions = z.output<typeof Decisions>;
