/** Runs of the scorer through the public API: a profile is made, and its first run comes at once. */
import { setTimeout as delay } from "node:timers/promises";
import { call, create } from "../api.ts";
import type { Target } from "../settings.ts";

const pollMs = 20;
const waitMs = 30 * 60_000;

const dimensions = ["VALIDITY", "VERIFICATION", "FRESHNESS", "ORIGIN", "COMPLETENESS"].map((name) => ({
  name,
  weight: 1,
}));

interface Profile {
  readonly last_run_id: string;
  readonly last_run_start_time: string;
  readonly last_run_end_time: string;
  readonly current_run?: { readonly scored: number; readonly total: number };
}

/** A run that was begun. */
export interface BegunRun {
  state(): Promise<Profile>;
  /** Waits for the end. @returns milliseconds from the run's start to its end */
  ended(): Promise<number>;
}

export const beginRun = async (target: Target, projectId: string, type: string): Promise<BegunRun> => {
  const { id } = await create(target.gateway, target.serviceAccountToken, "trust-score-profiles", {
    project_id: projectId,
    name: `bench-${type.toLowerCase()}`,
    node_classification: type,
    schedule: "DAILY",
    dimensions,
  });
  const headers = { authorization: `Bearer ${target.serviceAccountToken}` };
  const state = async (): Promise<Profile> =>
    // A record, or `call` would have thrown.
    (await call(target.gateway, "GET", `/configs/v1/trust-score-profiles/${id}`, headers)) as Profile;
  return {
    state,
    ended: async () => {
      for (const until = Date.now() + waitMs; Date.now() < until; await delay(pollMs)) {
        const { last_run_id: run, last_run_start_time: start, last_run_end_time: end } = await state();
        if (run !== "") return Date.parse(end) - Date.parse(start);
      }
      throw new Error(`no run of ${type} ended in time`);
    },
  };
};
