import { setTimeout as wait } from "node:timers/promises";
import { forgetProfile } from "./runs/forget-profile.ts";
import type { Profile } from "./profiles/profile.ts";
import type { RunState } from "./runs/run-record.ts";
import { type KeptSchedule, planSchedules, schedulerId } from "./schedules/interval.ts";
import type { Scorer } from "./scorer.ts";
import type { Work } from "./work.ts";

export interface ReconcilerParts {
  readonly scorer: Scorer;
  readonly work: Pick<Work, "slots" | "enqueue">;
  /** Factor of every interval. */
  readonly scale: number;
  /** Milliseconds between two passes. */
  readonly everyMs: number;
}

/** Keeps schedules, runs and scores in line with the stored profiles. */
export interface Reconciler {
  /** Starts a pass now, because something has changed. */
  trigger(): void;
  close(): Promise<void>;
}

/** Slots that fail are tried again until the database is back; of those that wait together one begins a run. */
const slotOptions = {
  attempts: Number.MAX_SAFE_INTEGER,
  backoff: { type: "custom" },
  removeOnComplete: true,
  removeOnFail: { count: 100 },
};

/** Gives every stored profile its schedule, and no other. */
const reconcileSchedules = async (
  { scorer, work, scale }: ReconcilerParts,
  profiles: readonly Profile[],
  states: readonly RunState[],
): Promise<void> => {
  const { slots } = work;
  const kept: KeptSchedule[] = (await slots.getJobSchedulers(0, -1)).map(({ key, every, next }) => ({
    id: key,
    every,
    next,
  }));
  const begun = new Map(states.map((state) => [state.profileId, state.begunTime]));
  const plan = planSchedules(profiles, kept, begun, { scale, now: scorer.now().getTime() });
  for (const id of plan.remove) await slots.removeJobScheduler(id);
  for (const { profile, every, from } of plan.upsert)
    await slots.upsertJobScheduler(
      schedulerId(profile.id),
      { every, ...(from === undefined ? {} : { startDate: from }) },
      { name: "slot", data: { profile: profile.id }, opts: slotOptions },
    );
};

/**
 * One pass. Any number of processes may run one at the same time.
 *
 * @throws as the stores.
 */
export const reconcile = async (parts: ReconcilerParts): Promise<void> => {
  const { scorer, work } = parts;
  // States first: a profile that is made in between is only missed, one that is deleted in between is still known.
  const states = await scorer.records.all();
  const profiles = await scorer.profiles.all();
  await reconcileSchedules(parts, profiles, states);
  const known = new Set(profiles.map(({ id }) => id));
  const attempt = async (fields: Readonly<Record<string, unknown>>, step: () => Promise<void>) => {
    try {
      await step();
    } catch (error) {
      scorer.log.warn("trust scores cannot be reconciled now; retrying", { ...fields, error });
    }
  };
  for (const state of states.filter(({ profileId }) => !known.has(profileId)))
    await attempt({ profile: state.profileId }, () => forgetProfile(scorer, state));
  const open = states.filter(({ profileId, run }) => known.has(profileId) && run?.ready === true);
  for (const project of new Set(open.map(({ projectId }) => projectId)))
    await attempt({ project }, () => work.enqueue(project));
};

export const openReconciler = (parts: ReconcilerParts): Reconciler => {
  const { scorer, everyMs } = parts;
  const stop = new AbortController();
  let change = Promise.withResolvers<void>();
  const keep = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      change = Promise.withResolvers();
      await reconcile(parts).catch((error: unknown) => {
        if (!stop.signal.aborted)
          scorer.log.warn("schedules of trust scores cannot be reconciled now", { error });
      });
      const over = new AbortController();
      const late = wait(everyMs, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
      await Promise.race([late, change.promise]);
      over.abort();
    }
  };
  const kept = keep();
  return {
    trigger: () => change.resolve(),
    close: async () => {
      stop.abort();
      change.resolve();
      await kept;
    },
  };
};
