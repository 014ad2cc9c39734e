import { z } from "zod";
import { freeObject } from "../access/entities.ts";
import { gidOf } from "../records/fields.ts";
import { optional } from "../optional.ts";
import { ChangeSetEntries } from "./changes.ts";

/** Records of one replay at most. */
export const maxReplayedRecords = 1_000;

/** Decisions of one replay at most: entries of batches count. */
export const maxReplayedDecisions = 10_000;

const string = z.string({ error: "string expected" });
const list = <S extends z.ZodType>(element: S) => z.array(element, { error: "array expected" });

const PolicyVersion = z.object({ id: string, version: z.int({ error: "integer expected" }) });

/** What a record says of one decision; members that a replay does not read are ignored. */
const decision = {
  subject: optional(z.object({ type: string, id: optional(string) })),
  resource: optional(z.object({ type: string, id: optional(string) })),
  action: optional(string),
  input_params: optional(freeObject),
  inputs: optional(freeObject),
  /** Fields that the settings of the operator left out. */
  omitted: optional(list(string)),
  tried: optional(list(PolicyVersion)),
  decision: optional(z.boolean({ error: "boolean expected" })),
};

const envelope = {
  id: string,
  project_id: string,
  on_behalf_of: optional(z.object({ sub: string })),
  cut: optional(list(z.object({ field: string }))),
};

const Evaluation = z.object({
  ...envelope,
  type: z.literal("audit.authorization.evaluation"),
  data: z.object(decision),
});

const Evaluations = z.object({
  ...envelope,
  type: z.literal("audit.authorization.evaluations"),
  data: z.object({ evaluations: optional(list(z.object(decision))) }),
});

const otherTypes = [
  "audit.authorization.searchsubject",
  "audit.authorization.searchresource",
  "audit.authorization.searchaction",
  "audit.authorization.simulation",
  "audit.authorization.replay",
] as const;

const Other = z.object({ ...envelope, type: z.literal(otherTypes) });

/** An audit record of the types `audit.authorization.…`, as the export hands it out. */
export const AuthorizationRecord = z.discriminatedUnion("type", [Evaluation, Evaluations, Other], {
  error: `one of ${[Evaluation.shape.type.value, Evaluations.shape.type.value, ...otherTypes].join(", ")}`,
});

/** Body of POST /access/v1/replays: recorded decisions that are decided again. */
export const ReplayRequest = z.strictObject({
  project_id: gidOf("project"),
  records: list(AuthorizationRecord)
    .min(1, { error: `1-${maxReplayedRecords} entries` })
    .max(maxReplayedRecords, { error: `1-${maxReplayedRecords} entries` })
    .refine(
      (records) =>
        records.reduce(
          (sum, record) =>
            sum +
            (record.type === "audit.authorization.evaluations" ? (record.data.evaluations?.length ?? 0) : 1),
          0,
        ) <= maxReplayedDecisions,
      { error: `at most ${maxReplayedDecisions} decisions, entries of batches included` },
    ),
  /** Changes that are not made: what they would decide is answered, too. */
  changes: optional(ChangeSetEntries),
});

export const replayVerdicts = ["same", "policy_changed", "graph_changed", "not_replayable"] as const;

/** Why a decision cannot be replayed; docs/replay.md. */
const replayReasons = [
  "other_project",
  "search",
  "not_a_decision",
  "no_decision",
  "incomplete_question",
  "record_cut",
  "inputs_hashed",
  "inputs_omitted",
  "inputs_cut",
  "claims_not_recorded",
  "version_not_stored",
  "version_not_valid",
  "not_decided_in_time",
] as const;

/** A reason, and what it is about: inputs as `$limit`, `$token.plan` or `$request.context`, policies as `gid@version`. */
const Unknown = z.object({ reason: z.enum(replayReasons), missing: z.array(z.string()).optional() });

export const ReplayedDecision = z.object({
  /** `id` of the record. */
  record: z.string(),
  /** Index among the entries of a record of a batch. */
  entry: z.int().optional(),
  verdict: z.enum(replayVerdicts),
  /** As recorded. */
  then: z.boolean().optional(),
  /** By the policies and the graph of today. */
  now: z.boolean().optional(),
  /** By the policies after `changes`, on the graph of today. */
  with_changes: z.boolean().optional(),
  /** Of the verdict `not_replayable`. */
  because: Unknown.optional(),
  /** Why `with_changes` is absent although there are `changes`. */
  with_changes_because: Unknown.optional(),
});

/** Answer of a replay: one result for each decision, in the order of the records and their entries. */
export const Replay = z.object({
  milliseconds: z.int(),
  verdicts: z.object(
    Object.fromEntries(replayVerdicts.map((verdict) => [verdict, z.int()])) as Record<
      (typeof replayVerdicts)[number],
      z.ZodInt
    >, // one entry for each verdict
  ),
  results: z.array(ReplayedDecision),
});

export type AuthorizationRecord = z.output<typeof AuthorizationRecord>;
export type RecordedQuestion = z.output<typeof Evaluation>["data"];
export type ReplayRequest = z.output<typeof ReplayRequest>;
export type ReplayedDecision = z.output<typeof ReplayedDecision>;
export type Unknown = z.output<typeof Unknown>;
export type Replay = z.output<typeof Replay>;
