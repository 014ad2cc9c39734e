/** npm run bench ciq: stored queries, beside the same by hand and by another library. */
import { openDriver } from "../raw-driver.ts";
import { writeGraph } from "../drive/write-graph.ts";
import { machineOf } from "../machine.ts";
import { allMet, targetsTable } from "../targets.ts";
import { makeAgent, makeProject, removeProject } from "../project.ts";
import { projectKey } from "../project-key.ts";
import { say } from "../../../stack/launch/progress.mjs";
import type { Target } from "../settings.ts";
import { writeSection } from "../write-section.ts";
import { graph } from "./data.ts";
import { saveQueries } from "./queries.ts";
import { measureReads } from "./reads.ts";
import { section } from "./report.ts";
import { withWays } from "./ways.ts";
import { measureWrites } from "./writes.ts";

/** Measures, prints, writes its section of `docs/benchmarks.md`. @returns whether every target is met */
export const ciq = async (target: Target): Promise<boolean> => {
  const driver = openDriver(target, 4);
  let projectId: string | undefined;
  try {
    const machine = await machineOf(driver);
    projectId = await makeProject(target, "ciq");
    const agent = await makeAgent(target, projectId, ["ContXIQ"]);
    const pk = await projectKey(driver, projectId);
    await writeGraph(driver, pk, graph);
    await saveQueries(target, projectId);
    const lines = await withWays(target, driver, { id: projectId, pk, agent }, async (ways) => [
      ...(await measureReads(ways)),
      ...(await measureWrites(ways)),
    ]);
    for (const line of ["", ...targetsTable(lines)]) say(line);
    writeSection("Context queries", section(lines, machine));
    return allMet(lines);
  } finally {
    if (projectId !== undefined) await removeProject(target, projectId);
    await driver.close();
  }
};
