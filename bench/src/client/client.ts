/** npm run bench client: what @ikg/client costs, and what it saves by joining decisions. */
import { inTurn, run } from "../../../stack/src/measurement/measure.ts";
import { takeTurns, type Turns, type Work } from "../../../stack/src/measurement/turns.ts";
import { openDriver } from "../raw-driver.ts";
import { makeData } from "../decisions/data.ts";
import { setUp } from "../decisions/set-up.ts";
import { machineOf } from "../machine.ts";
import { allMet, targetsTable } from "../targets.ts";
import { removeProject } from "../project.ts";
import { say } from "../../../stack/launch/progress.mjs";
import type { Target } from "../settings.ts";
import { writeSection } from "../write-section.ts";
import { callers, plan } from "./plan.ts";
import { linesOf, section } from "./report.ts";
import { asksOf, type Way } from "./ways.ts";

/** Measures, prints, writes its section of `docs/benchmarks.md`. @returns whether the targets are met */
export const client = async (target: Target): Promise<boolean> => {
  const driver = openDriver(target, callers);
  let projectId: string | undefined;
  try {
    const machine = await machineOf(driver);
    const data = makeData(plan.seed);
    const project = await setUp(target, driver, data, (id) => (projectId = id));
    const asks = asksOf(target.gateway, project, driver);
    const questions = inTurn(data.questions);
    const turnsOf = (atOnce: number): Promise<Turns<Way>> => {
      const work =
        (way: Way): Work =>
        (ms) =>
          run(asks[way], questions, atOnce, ms);
      const works = {
        joined: work("joined"),
        alone: work("alone"),
        fetch: work("fetch"),
        driver: work("driver"),
      };
      return takeTurns(works, plan, `${atOnce} callers`);
    };
    const lines = linesOf(await turnsOf(callers), await turnsOf(1));
    writeSection("Client", section(lines, machine));
    for (const line of ["", ...targetsTable(lines)]) say(line);
    return allMet(lines);
  } finally {
    if (projectId !== undefined) await removeProject(target, projectId);
    await driver.close();
  }
};
