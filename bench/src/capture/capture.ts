/** npm run bench capture: writing through the suite, beside the same by hand. */
import type { Driver } from "neo4j-driver";
import { openDriver } from "../raw-driver.ts";
import { machineOf } from "../machine.ts";
import { allMet, type Line, targetsTable } from "../targets.ts";
import { makeAgent, makeProject, removeProject } from "../project.ts";
import { projectKey } from "../project-key.ts";
import { seeded } from "../random.ts";
import { say } from "../../../stack/launch/progress.mjs";
import type { Target } from "../settings.ts";
import { writeSection } from "../write-section.ts";
import { measureBatches } from "./batches.ts";
import { measureImport } from "./import.ts";
import { batchOf, kindsOf } from "./items.ts";
import { plan } from "./plan.ts";
import { section } from "./report.ts";
import { prepare, withWrites, writeByDriver } from "./ways.ts";

const measureAll = async (
  target: Target,
  driver: Driver,
  created: (projectId: string) => void,
): Promise<readonly Line[]> => {
  const id = await makeProject(target, "capture");
  created(id);
  const agent = await makeAgent(target, id, ["Capture"]);
  const pk = await projectKey(driver, id);
  const kinds = kindsOf(pk, seeded(plan.seed));
  const write = writeByDriver(driver, pk);
  for (let written = 0; written < plan.stock; written += plan.batch)
    await write(prepare(kinds.new, batchOf(kinds.new, plan.batch)));
  const batches = await withWrites(target, driver, { id, pk, agent }, (writes) =>
    measureBatches(writes, kinds),
  );
  return [...batches, ...(await measureImport(target, agent.apiKey, kinds, write))];
};

/** Measures, prints, writes its section of `docs/benchmarks.md`. @returns whether every target is met */
export const capture = async (target: Target): Promise<boolean> => {
  const driver = openDriver(target, plan.import.connections);
  let projectId: string | undefined;
  try {
    const machine = await machineOf(driver);
    const lines = await measureAll(target, driver, (id) => (projectId = id));
    writeSection("Capture", section(lines, machine));
    for (const line of ["", ...targetsTable(lines)]) say(line);
    return allMet(lines);
  } finally {
    if (projectId !== undefined) await removeProject(target, projectId);
    await driver.close();
  }
};
