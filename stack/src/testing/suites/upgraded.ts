/** Checks of what an upgrade under load has cost, on whatever the suite runs. */
import { setTimeout as pause } from "node:timers/promises";
import type { DataSet } from "../../data-set/data-set.ts";
import { isCovered } from "../../data-set/load-phases.ts";
import {
  countFaults,
  describeUpgrade,
  type UpgradedSuite,
  upgradeUnderLoad,
} from "../../data-set/upgrade.ts";
import { add, type Counts } from "../runner/counts.ts";
import { verdict } from "./verdict.ts";

/** For so long nothing stands for a service that is taken away. */
const outageMs = 5_000;
const shown = 5;

/**
 * Upgrades a suite, takes it back and forth, and shows at its end that a fault would have been seen.
 *
 * @param takeAway ends every replica of access, with nothing in its place
 */
export const checkUpgraded = async (
  set: DataSet,
  suite: UpgradedSuite,
  takeAway: () => Promise<void>,
): Promise<Counts> => {
  const figures = await upgradeUnderLoad(set, suite);
  const { faults, phases, changed, lost, unmigrated, projects, different, unverified } = figures;
  const wrong = [...faults, ...changed, ...different, ...unverified];
  const first = wrong.slice(0, shown).map((fault) => `\n  ${fault}`);
  const isComplete =
    projects === set.projects.length && lost === 0 && unmigrated === 0 && phases.every(isCovered);
  const upgraded = verdict(
    wrong.length === 0 && isComplete,
    `${describeUpgrade(set, figures)}, ${unmigrated} records not migrated${first.join("")}`,
  );
  const outage = await countFaults(set, suite.url, async () => {
    await takeAway();
    await pause(outageMs);
  });
  return add(
    upgraded,
    verdict(
      outage.faults > 0,
      `with access away for ${outageMs / 1_000} s a fault is seen: ${outage.faults} of ${outage.requests} requests`,
    ),
  );
};
