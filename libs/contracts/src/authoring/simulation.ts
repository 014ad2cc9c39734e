import { z } from "zod";
import { Action, Context, Entity, freeObject } from "../access/entities.ts";
import { text } from "../names.ts";
import { gidOf, optional } from "../records/fields.ts";
import { RecordChanges } from "./changes.ts";

/** Explicit questions of one simulation at most. */
export const maxSimulatedQuestions = 10_000;

const type = text(1, 64);
const integer = (min: number, max: number) =>
  z
    .int({ error: "integer expected" })
    .min(min, { error: `${min}-${max}` })
    .max(max, { error: `${min}-${max}` });

/** What every decision of a simulation brings besides the graph. */
const Inputs = z.strictObject({
  input_params: optional(freeObject),
  /** Claims of the bearer token. */
  token: optional(freeObject),
  /** Each subject calls with a token of its own, whose `sub` is its external id. */
  signed_in: optional(z.boolean({ error: "boolean expected" })),
  request: optional(
    z.strictObject({
      subject: optional(freeObject),
      resource: optional(freeObject),
      action: optional(freeObject),
      context: optional(Context),
    }),
  ),
});

const ExplicitQuestion = z.strictObject({
  subject: Entity,
  action: Action,
  resource: Entity,
  context: Context.nullish(),
  token: optional(freeObject),
});

/** Body of POST /access/v1/simulations: who gains and who loses access by changes that are not made. */
export const SimulationRequest = z.strictObject({
  project_id: gidOf("project"),
  changes: RecordChanges,
  /** Narrows what is looked at; by default everything that a changed policy names. */
  scope: optional(
    z.strictObject({
      subject_type: optional(type),
      action: optional(text(1, 128)),
      resource_type: optional(type),
    }),
  ),
  inputs: optional(Inputs),
  /** How long pairs are looked for, in milliseconds. */
  budget_ms: optional(integer(100, 120_000)),
  /** Examples of each list at most. */
  examples: optional(integer(0, 100)),
  /** Chooses the random order of the subjects. */
  seed: optional(integer(0, 2_147_483_646)),
  /** From an answer that was not complete: goes on there. */
  next: optional(z.string({ error: "string expected" })),
  /** Decided before and after, instead of looking for pairs. */
  questions: optional(
    z
      .array(ExplicitQuestion, { error: "array expected" })
      .max(maxSimulatedQuestions, { error: `at most ${maxSimulatedQuestions} entries` }),
  ),
});

const Example = z.object({ subject: z.string(), resource: z.string(), policies: z.array(z.string()) });

/** A number of pairs; with `exact` false an estimate, and `low` to `high` its 95 % interval. */
const Count = z.object({
  count: z.int(),
  exact: z.boolean(),
  low: z.int().optional(),
  high: z.int().optional(),
});

const Difference = Count.extend({ examples: z.array(Example) });
const Granted = z.object({
  granted: z.int(),
  exact: z.boolean(),
  low: z.int().optional(),
  high: z.int().optional(),
});

export const SimulatedQuestion = z.object({
  subject_type: z.string(),
  action: z.string(),
  resource_type: z.string(),
  /** Pairs that are granted; absent when there was no time to count them. */
  before: Granted.optional(),
  after: Granted.optional(),
  gained: Difference,
  lost: Difference,
  subjects: z.object({ examined: z.int(), of: z.int() }),
  /** `scan`: pairs were found from pages of subjects; `pairs`: every pair was decided by itself. */
  method: z.enum(["scan", "pairs"]),
});

/** Answer of a simulation, and, without `next`, each line of its progress. */
export const Simulation = z.object({
  complete: z.boolean(),
  milliseconds: z.int(),
  questions: z.array(SimulatedQuestion),
  /** Policies whose parameters are not in `inputs`: they grant nothing here. */
  undetermined: z.array(z.object({ name: z.string(), parameters: z.array(z.string()) })),
  /** Explicit questions, in their order. */
  answers: z.array(z.object({ before: z.boolean(), after: z.boolean() })).optional(),
  next: z.string().optional(),
});

export type SimulationRequest = z.output<typeof SimulationRequest>;
export type SimulatedQuestion = z.output<typeof SimulatedQuestion>;
export type Simulation = z.output<typeof Simulation>;
export type SimulationInputs = Partial<z.output<typeof Inputs>>;
export type SimulatedCount = z.output<typeof Count>;
export type SimulationExample = z.output<typeof Example>;
