import { z } from "zod";
import { Action, Context, Entity, freeObject } from "../access/entities.ts";
import { ExecuteRequest, ExecuteResponse } from "../ciq/execute.ts";
import { text } from "../names.ts";
import { gidOf, recordName } from "../records/fields.ts";
import { optional } from "../optional.ts";
import { ChangeSetEntries } from "./changes.ts";

/** Explicit questions of one simulation at most. */
export const maxSimulatedQuestions = 10_000;

/** Knowledge queries of one simulation at most. */
export const maxSimulatedQueries = 100;

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

/** A knowledge query that is run before and after, for one caller. */
const RequestedQuery = z.strictObject({
  name: recordName,
  /** Who calls; null: no subject is signed in, and no application is known. */
  as: z
    .strictObject({
      /** Claims of the bearer token; `sub` is its subject. */
      token: optional(freeObject),
      /** The calling application, by id or name. */
      application: optional(text(1, 256)),
    })
    .nullish(),
  input_params: ExecuteRequest.shape.input_params,
  /** Also the values of the rows that differ. */
  values: optional(z.boolean({ error: "true or false" })),
});

/** Body of POST /access/v1/simulations: who gains and who loses access by changes that are not made. */
export const SimulationRequest = z.strictObject({
  project_id: gidOf("project"),
  changes: ChangeSetEntries,
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
  /** From an answer that was not complete: the simulation continues there. */
  next: optional(z.string({ error: "string expected" })),
  /** Decided before and after, instead of looking for pairs. */
  questions: optional(
    z
      .array(ExplicitQuestion, { error: "array expected" })
      .max(maxSimulatedQuestions, { error: `at most ${maxSimulatedQuestions} entries` }),
  ),
  /** Run before and after, besides. */
  queries: optional(
    z
      .array(RequestedQuery, { error: "array expected" })
      .max(maxSimulatedQueries, { error: `at most ${maxSimulatedQueries} entries` }),
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
  subjects: z.object({
    examined: z.int(),
    of: z.int(),
    /** Subjects of whom nothing is known, because a statement about one of their pairs did not end in its time. */
    unexamined: z.object({ count: z.int(), examples: z.array(z.string()) }).optional(),
  }),
  /** `scan`: pairs were found from pages of subjects; `pairs`: every pair was decided by itself. */
  method: z.enum(["scan", "pairs"]),
});

/** Why a query does not run in one of the two states, as an execution would be refused; `not_found`: it cannot be called. */
const Refusal = z.object({
  code: z.enum([
    "not_found",
    "bearer_required",
    "token_filter_failed",
    "input_param_missing",
    "unprocessable",
  ]),
  errors: z.array(z.string()).readonly().optional(),
});

/** A row that only one state answers. */
const DifferingRow = z.object({
  /** External ids of its nodes, by alias. */
  nodes: z.record(z.string(), z.string().nullable()),
  /** As an execution answers it, without what resolvers know; with `values`. */
  row: ExecuteResponse.shape.data.element.optional(),
});

const RowDifference = z.object({ count: z.int(), examples: z.array(DifferingRow) });

export const SimulatedQuery = z.object({
  /** Index in `queries`. */
  query: z.int(),
  name: z.string(),
  /** Both states were compared. */
  complete: z.boolean(),
  /** It writes: its rows are those that it would match. */
  writes: z.literal(true).optional(),
  rows_before: z.int().optional(),
  rows_after: z.int().optional(),
  refused_before: Refusal.optional(),
  refused_after: Refusal.optional(),
  /** Absent where the rows were not compared. */
  only_before: RowDifference.optional(),
  only_after: RowDifference.optional(),
  /** What the rows of one state alone show; it is not compared. */
  columns_only_before: z.array(z.string()).optional(),
  columns_only_after: z.array(z.string()).optional(),
});

/** Answer of a simulation, and, without `next`, each line of its progress. */
export const Simulation = z.object({
  complete: z.boolean(),
  milliseconds: z.int(),
  /** Of examining all subjects so far, estimated from one page; absent where every pair was decided by itself. */
  database_hits: z.int().optional(),
  questions: z.array(SimulatedQuestion),
  /** Policies whose parameters are not in `inputs`: they grant nothing here. */
  undetermined: z.array(z.object({ name: z.string(), parameters: z.array(z.string()) })),
  /** Explicit questions, in their order; a member is absent where its decision did not end in its time. */
  answers: z.array(z.object({ before: z.boolean().optional(), after: z.boolean().optional() })).optional(),
  /** Knowledge queries that were run by this call. */
  queries: z.array(SimulatedQuery).optional(),
  next: z.string().optional(),
});

export type SimulatedQuery = z.output<typeof SimulatedQuery>;
export type SimulatedRefusal = z.output<typeof Refusal>;
export type SimulatedRow = z.output<typeof DifferingRow>;
export type SimulationRequest = z.output<typeof SimulationRequest>;
export type SimulatedQuestion = z.output<typeof SimulatedQuestion>;
export type Simulation = z.output<typeof Simulation>;
export type SimulationInputs = Partial<z.output<typeof Inputs>>;
export type SimulatedCount = z.output<typeof Count>;
export type SimulationExample = z.output<typeof Example>;
