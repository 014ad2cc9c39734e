/** Decisions of three rules, nested groups and folders among them, beside the natural query: one statement a rule. */
import { inTurn, run } from "../../../stack/src/measurement/measure.ts";
import { takeTurns } from "../../../stack/src/measurement/turns.ts";
import type { Question } from "../drive/questions.ts";
import { countText, type Line, perSecondText, ratioText } from "../targets.ts";
import { askDriver } from "./asks.ts";
import type { Bench } from "./bench.ts";
import { targets, plan } from "./plan.ts";

export const measureCandidates = async (
  { driver, clients, project }: Bench,
  questions: readonly Question[],
): Promise<readonly Line[]> => {
  const cycle = inTurn(questions);
  const access = await clients.access(project);
  const rawDriver = askDriver(driver, project.pk, "VIEW");
  const turns = await takeTurns(
    {
      driver: (ms) => run(rawDriver, cycle, plan.driveCallers, ms),
      access: (ms) => run(access.evaluate, cycle, plan.driveCallers, ms),
    },
    plan.drive,
    "three candidates",
  );
  const { throughput } = turns.summary("access");
  return [
    {
      what: `drive S, three candidates, service directly, ${plan.driveCallers} callers`,
      figure: perSecondText(throughput),
      ratio: ratioText(turns.ratio("access", "driver")),
      target: `at least ${countText(targets.drivePerSecond)}/s`,
      met: throughput >= targets.drivePerSecond,
      baseline: `raw driver, one statement a candidate: ${perSecondText(turns.summary("driver").throughput)}`,
    },
  ];
};
