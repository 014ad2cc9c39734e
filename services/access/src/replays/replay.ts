import type { ProjectSnapshot } from "@ikg/catalog";
import {
  Problem,
  type Replay,
  type ReplayedDecision,
  type ReplayRequest,
  replayVerdicts,
  omitUndefined,
  type Unknown,
} from "@ikg/contracts";
import type { Graph, StatementOptions } from "@ikg/graph";
import type { Budget } from "@ikg/policy-core";
import type { Decide } from "../decisions/decide.ts";
import { afterChanges } from "../simulations/after-changes.ts";
import { requireVersions } from "../simulations/expected-versions.ts";
import { loadKeptTags } from "../simulations/kept-tags.ts";
import { pauseAfter } from "../simulations/pause-after.ts";
import { type DecideOnce, decideOnce } from "../simulations/try-pairs.ts";
import { evaluationOf } from "./evaluation-of.ts";
import { type FormerPolicies, formerPolicies } from "./former-policies.ts";
import { inputGap } from "./input-gap.ts";
import {
  readRecord,
  type RecordedDecision,
  type RecordedPosition,
  type UnreadableDecision,
} from "./read-record.ts";

/** Decisions that are replayed at one time. */
const decisionsAtOnce = 64;
/** A statement and a replay may take so long at most, in milliseconds. */
const longestStatementMs = 20_000;
const longestReplayMs = 120_000;

export interface ReplayParts {
  readonly graph: Graph;
  readonly decide: Decide;
  readonly budget: Budget;
}

type ReplayOptions = Pick<StatementOptions, "signal" | "requestId">;

/**
 * Prepares a replay of recorded decisions (docs/replay.md). Nothing is written.
 *
 * @returns what runs it.
 * @throws Problem "unprocessable" (422) for texts that cannot be saved, "conflict" (409) for another version.
 */
export type PrepareReplay = (
  snapshot: ProjectSnapshot,
  request: ReplayRequest,
  options: ReplayOptions,
) => Promise<() => Promise<Replay>>;

type Outcome = boolean | Unknown;

const isUnknown = (outcome: Outcome | undefined): outcome is Unknown => typeof outcome === "object";

interface ReplayStates {
  readonly today: ProjectSnapshot;
  readonly changed: ProjectSnapshot | undefined;
  readonly former: FormerPolicies;
  readonly decide: DecideOnce;
}

/** What a project would decide, or the input that is missing to decide it. */
const outcomeIn = async (
  snapshot: ProjectSnapshot,
  recorded: RecordedDecision,
  decide: DecideOnce,
): Promise<Outcome> => {
  const evaluation = evaluationOf(recorded);
  if (evaluation === undefined) return false;
  const gap = inputGap(snapshot, evaluation, recorded.inputs);
  if (gap !== undefined) return gap;
  return (await decide(snapshot, evaluation))?.granted ?? { reason: "not_decided_in_time" };
};

const positionOf = ({ record, entry }: RecordedPosition) => omitUndefined({ record, entry });

/** The members of a replayed decision that report its outcome with the changes. */
const withChangesFields = (outcome: Outcome | undefined) =>
  isUnknown(outcome) ? { with_changes_because: outcome } : omitUndefined({ with_changes: outcome });

type Why = Pick<ReplayedDecision, "verdict" | "because">;

/** Why today's project decides otherwise than recorded. */
const whyDifferent = async (recorded: RecordedDecision, { former, decide }: ReplayStates): Promise<Why> => {
  const { policyVersions } = recorded;
  const snapshot = policyVersions === undefined ? undefined : former.snapshotOf(policyVersions);
  if (snapshot === undefined)
    return { verdict: "not_replayable", because: { reason: "record_cut", missing: ["tried"] } };
  if ("reason" in snapshot) return { verdict: "not_replayable", because: snapshot };
  const outcome = await outcomeIn(snapshot, recorded, decide);
  if (isUnknown(outcome)) return { verdict: "not_replayable", because: outcome };
  return { verdict: outcome === recorded.decision ? "policy_changed" : "graph_changed" };
};

/** Replays decisions together: versions that are needed are read once for all of them. */
const replaySlice = async (
  slice: readonly RecordedDecision[],
  states: ReplayStates,
): Promise<readonly ReplayedDecision[]> => {
  const { today, changed, former, decide } = states;
  const outcomes = await Promise.all(
    slice.map(async (recorded) => {
      const [now, withChanges] = await Promise.all([
        outcomeIn(today, recorded, decide),
        changed && outcomeIn(changed, recorded, decide),
      ]);
      return { recorded, now, withChanges };
    }),
  );
  const isDifferent = ({ recorded, now }: (typeof outcomes)[number]): boolean =>
    !isUnknown(now) && now !== recorded.decision;
  await former.load(outcomes.filter(isDifferent).flatMap(({ recorded }) => recorded.policyVersions ?? []));
  return Promise.all(
    outcomes.map(async (outcome): Promise<ReplayedDecision> => {
      const { recorded, now, withChanges } = outcome;
      const why: Why = isUnknown(now)
        ? { verdict: "not_replayable", because: now }
        : isDifferent(outcome)
          ? await whyDifferent(recorded, states)
          : { verdict: "same" };
      return {
        ...positionOf(recorded),
        ...why,
        then: recorded.decision,
        ...(isUnknown(now) ? {} : { now }),
        ...withChangesFields(withChanges),
      };
    }),
  );
};

const countsOf = (results: readonly ReplayedDecision[]): Replay["verdicts"] => {
  const counts = Object.fromEntries(replayVerdicts.map((verdict) => [verdict, 0])) as Replay["verdicts"]; // one for each
  for (const { verdict } of results) counts[verdict] += 1;
  return counts;
};

const outOfTime = (): Problem =>
  new Problem("unavailable", {
    errors: [`replay: not finished within ${longestReplayMs / 1_000} s; send fewer records at a time`],
  });

/** A decision that cannot be read back. */
const notRead = ({ decision, because, ...position }: UnreadableDecision): ReplayedDecision => ({
  ...positionOf(position),
  verdict: "not_replayable",
  ...omitUndefined({ then: decision }),
  because,
});

const isReadable = (read: RecordedDecision | UnreadableDecision): read is RecordedDecision =>
  !("because" in read);

/** Replays all decisions, slice by slice, in their order. */
const replayAll = async (
  read: readonly (RecordedDecision | UnreadableDecision)[],
  states: ReplayStates,
  signal: AbortSignal | undefined,
): Promise<ReplayedDecision[]> => {
  const since = performance.now();
  const results: ReplayedDecision[] = [];
  for (let at = 0; at < read.length; at += decisionsAtOnce) {
    signal?.throwIfAborted();
    const started = performance.now();
    if (started - since > longestReplayMs) throw outOfTime();
    const slice = read.slice(at, at + decisionsAtOnce);
    const replayed = [...(await replaySlice(slice.filter(isReadable), states))].values();
    for (const each of slice) {
      const result = isReadable(each) ? replayed.next().value : notRead(each);
      if (result !== undefined) results.push(result);
    }
    await pauseAfter(performance.now() - started, signal);
  }
  return results;
};

export const openReplay =
  ({ graph, decide, budget }: ReplayParts): PrepareReplay =>
  async (snapshot, request, options) => {
    const statement = { ...options, timeoutMs: longestStatementMs };
    const { changes } = request;
    await requireVersions(graph.shared, snapshot.project.id, changes ?? [], statement);
    const keptTags = await loadKeptTags(graph.shared, snapshot, changes ?? [], statement);
    const changed = changes && afterChanges(snapshot, changes, keptTags, budget).snapshot;
    return async () => {
      const since = performance.now();
      const states: ReplayStates = {
        today: snapshot,
        changed,
        former: formerPolicies({ snapshot, database: graph.shared, budget, options: statement }),
        decide: decideOnce(decide, () => statement),
      };
      const read = request.records.flatMap((record) => readRecord(record, snapshot.project.id));
      const results = await replayAll(read, states, options.signal);
      return { milliseconds: Math.round(performance.now() - since), verdicts: countsOf(results), results };
    };
  };
