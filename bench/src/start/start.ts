/** npm run bench start: how soon a service is ready, and what it takes of memory. */
import { openDriver } from "../raw-driver.ts";
import { machineOf } from "../machine.ts";
import { allMet, targetsTable } from "../targets.ts";
import { removeProject } from "../project.ts";
import { say } from "../../../stack/launch/progress.mjs";
import type { Target } from "../settings.ts";
import { writeSection } from "../write-section.ts";
import { measureMemory } from "./memory.ts";
import { linesOf, section } from "./report.ts";
import { measureStarts } from "./starts.ts";

/** Measures, prints, writes its section of `docs/benchmarks.md`. @returns whether every target is met */
export const start = async (target: Target): Promise<boolean> => {
  const driver = openDriver(target, 1);
  const projects: string[] = [];
  try {
    const machine = await machineOf(driver);
    const memory = await measureMemory(target, (id) => void projects.push(id));
    const lines = linesOf({ starts: await measureStarts(target), ...memory });
    writeSection("Start and memory", section(lines, machine));
    for (const line of ["", ...targetsTable(lines)]) say(line);
    return allMet(lines);
  } finally {
    for (const id of projects) await removeProject(target, id);
    await driver.close();
  }
};
