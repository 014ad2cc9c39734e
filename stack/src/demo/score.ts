/** Trust scores of the demo: the first run of a profile comes at once. */
import { setTimeout as delay } from "node:timers/promises";
import { Refusal } from "../../launch/refusal.mjs";
import { profiles } from "./profiles.ts";
import { ensureRecord, type Records } from "./records.ts";

const collection = "trust-score-profiles";
const pollMs = 100;
const waitMs = 120_000;

/**
 * Finds or makes the profiles, and waits until each has run.
 *
 * @throws Refusal when a run does not end in time
 */
export const ensureScores = async (records: Records, projectId: string): Promise<void> => {
  const parent = { project_id: projectId };
  for (const profile of profiles) await ensureRecord(records, collection, parent, { ...profile });
  for (const until = performance.now() + waitMs; ; await delay(pollMs)) {
    const waiting = (await records.list(collection, parent)).filter((each) => each["last_run_id"] === "");
    if (waiting.length === 0) return;
    if (performance.now() > until)
      throw new Refusal("The demo's trust scores do not come. The log of trust-scorer says why.");
  }
};
