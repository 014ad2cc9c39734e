/** Runs of the scorer through the public API: a profile is made, and its first run comes at once. */
import { setTimeout as delay } from "node:timers/promises";
import type { TrustScoreProfileRecord } from "@ikg/client";
import { openAdmin } from "../clients.ts";
import type { Target } from "../settings.ts";

const pollMs = 20;
const waitMs = 30 * 60_000;

const dimensions = (["VALIDITY", "VERIFICATION", "FRESHNESS", "ORIGIN", "COMPLETENESS"] as const).map(
  (name) => ({ name, weight: 1 }),
);

/** A run that was begun. */
export interface BegunRun {
  state(): Promise<TrustScoreProfileRecord>;
  /** Waits until it has started, perhaps also ended. */
  started(): Promise<void>;
  /** Waits for the end. @returns milliseconds from the run's start to its end */
  ended(): Promise<number>;
}

export const beginRun = async (target: Target, projectId: string, type: string): Promise<BegunRun> => {
  const { trustScoreProfiles } = openAdmin(target, projectId);
  const { id } = await trustScoreProfiles.create({
    name: `bench-${type.toLowerCase()}`,
    node_classification: type,
    schedule: "DAILY",
    dimensions,
  });
  const state = (): Promise<TrustScoreProfileRecord> => trustScoreProfiles.get(id);
  return {
    state,
    started: async () => {
      for (const until = Date.now() + waitMs; Date.now() < until; await delay(pollMs)) {
        const { current_run: current, last_run_id: last } = await state();
        if (current !== undefined || last !== "") return;
      }
      throw new Error(`no run of ${type} started in time`);
    },
    ended: async () => {
      for (const until = Date.now() + waitMs; Date.now() < until; await delay(pollMs)) {
        const { last_run_id: run, last_run_start_time: start, last_run_end_time: end } = await state();
        if (run !== "") return Date.parse(end) - Date.parse(start);
      }
      throw new Error(`no run of ${type} ended in time`);
    },
  };
};
