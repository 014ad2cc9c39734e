/** npm run bench neighbours: an organization with few requests, alone and beside one that asks for as much as it can. */
import { openDriver } from "../raw-driver.ts";
import { machineOf } from "../machine.ts";
import { allMet, targetsTable } from "../targets.ts";
import { makeOrganization } from "../organization.ts";
import { removeProject } from "../project.ts";
import { say } from "../../../stack/launch/progress.mjs";
import type { Target } from "../settings.ts";
import { writeSection } from "../write-section.ts";
import { measureAlone } from "./alone.ts";
import { makeHeavy } from "./heavy.ts";
import { makeLight } from "./light.ts";
import type { LoadName } from "./load-names.ts";
import { openLoadsInThread } from "./loads-in-thread.ts";
import { measurePhases } from "./phases.ts";
import { linesOf, section } from "./report.ts";

export interface NeighboursOptions {
  /** Seconds of one phase. */
  readonly seconds: number;
  /** The one load that is measured; undefined: each of them. */
  readonly load: LoadName | undefined;
}

/**
 * Measures, prints, and writes its section of `docs/benchmarks.md` when every load was measured.
 *
 * @returns whether every target is met
 */
export const neighbours = async (target: Target, { seconds, load }: NeighboursOptions): Promise<boolean> => {
  const driver = openDriver(target, 2);
  /** What is to be done at the end, the last first. */
  const ends: (() => Promise<void>)[] = [];
  const removing = (owner: Target) => (id: string) => void ends.push(() => removeProject(owner, id));
  try {
    const machine = await machineOf(driver);
    const other = await makeOrganization(target);
    ends.push(() => other.remove());
    const light = await makeLight(other.target, removing(other.target));
    ends.push(() => light.close());
    const heavy = await makeHeavy(target, removing(target));
    const loads = openLoadsInThread(target.gateway, heavy);
    ends.push(() => loads.close());
    const chosen = new Map([...loads.byName].filter(([name]) => load === undefined || name === load));
    const measured = await measurePhases(light, chosen, seconds);
    const lines = [...linesOf(measured), ...(load === undefined ? await measureAlone(target, heavy) : [])];
    for (const line of ["", ...targetsTable(lines)]) say(line);
    if (load === undefined) writeSection("Neighbours", section(lines, machine, seconds));
    return allMet(lines);
  } finally {
    for (const end of ends.toReversed()) await end();
    await driver.close();
  }
};
