/** Trust scores of the demo: the first run of a profile comes at once. */
import { setTimeout as delay } from "node:timers/promises";
import type { IkgAdmin } from "@ikg/client";
import { UserError } from "../../launch/user-error.mjs";
import { attempt } from "./attempt.ts";
import { ensureRecord } from "./ensure.ts";
import { profiles } from "./profiles.ts";

const pollMs = 100;
const waitMs = 120_000;

/**
 * Finds or makes the profiles, and waits until each has run.
 *
 * @throws UserError when a run does not end in time
 */
export const ensureScores = async ({ trustScoreProfiles }: IkgAdmin): Promise<void> => {
  for (const profile of profiles) await ensureRecord(trustScoreProfiles, profile);
  for (const until = performance.now() + waitMs; ; await delay(pollMs)) {
    const found = await attempt(() => trustScoreProfiles.list());
    const waiting = found.filter(({ last_run_id }) => last_run_id === "");
    if (waiting.length === 0) return;
    if (performance.now() > until)
      throw new UserError("The demo's trust scores do not come. The log of trust-scorer says why.");
  }
};
