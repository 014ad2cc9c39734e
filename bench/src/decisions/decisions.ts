/** npm run bench decisions: what a decision costs beside the query that it comes down to. */
import type { Driver } from "neo4j-driver";
import { type Ask, inTurn, run } from "../../../stack/src/measurement/measure.ts";
import { takeTurns, type Work } from "../../../stack/src/measurement/turns.ts";
import { openDriver } from "../raw-driver.ts";
import { openContext } from "../context.ts";
import { machineOf } from "../machine.ts";
import { callerOf, type Project, removeProject } from "../project.ts";
import { say } from "../../../stack/launch/progress.mjs";
import type { Target } from "../settings.ts";
import { writeSection } from "../write-section.ts";
import { type Data, makeData, type Question, sizes } from "./data.ts";
import { askDriver } from "./driver.ts";
import { openClient } from "./http.ts";
import { callerCounts, type Line, linesOf, p50Target, plan, targetRatio, type Way } from "./plan.ts";
import { decisionTable, section, verdict } from "./report.ts";
import { setUp } from "./set-up.ts";

type Asks = Readonly<Record<Way, Ask<Question>>>;

const mostCallers = Math.max(...callerCounts);

const measureAll = async (asks: Asks, data: Data): Promise<readonly Line[]> => {
  const questions = inTurn(data.questions);
  const lines: Line[] = [];
  for (const callers of callerCounts) {
    const work =
      (way: Way): Work =>
      (ms) =>
        run(asks[way], questions, callers, ms);
    const works = { driver: work("driver"), access: work("access"), gateway: work("gateway") };
    lines.push(...linesOf(callers, await takeTurns(works, plan, `decisions of ${callers} callers`)));
  }
  return lines;
};

/** The three ways to ask, open for as long as `work` takes. */
const withAsks = async <T>(
  target: Target,
  driver: Driver,
  project: Project,
  work: (asks: Asks) => Promise<T>,
): Promise<T> => {
  const context = await openContext(target, callerOf(target, project.id, project.agent), "access", [
    "/access/v1/evaluation",
  ]);
  const access = openClient(target.access, mostCallers, () => context.headers("/access/v1/evaluation"));
  const gateway = openClient(target.gateway, mostCallers, () => ({
    "x-svc-clientkey": project.agent.apiKey,
  }));
  try {
    return await work({ driver: askDriver(driver, project.pk), access: access.ask, gateway: gateway.ask });
  } finally {
    context.stop();
    await Promise.all([access.close(), gateway.close()]);
  }
};

/** Measures, prints, writes its section of `docs/benchmarks.md`. @returns whether the target is met */
export const decisions = async (target: Target): Promise<boolean> => {
  const driver = openDriver(target, mostCallers);
  let projectId: string | undefined;
  try {
    const machine = await machineOf(driver);
    const data = makeData(plan.seed);
    const started = performance.now();
    const project = await setUp(target, driver, data, (id) => (projectId = id));
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    say(`${sizes.persons} persons and ${sizes.documents} documents captured in ${seconds} s`);
    const lines = await withAsks(target, driver, project, (asks) => measureAll(asks, data));
    writeSection("Decisions", section(lines, machine, data.relationships.length));
    for (const line of ["", ...decisionTable(lines), "", verdict(lines)]) say(line);
    return targetRatio(lines) <= p50Target;
  } finally {
    if (projectId !== undefined) await removeProject(target, projectId);
    await driver.close();
  }
};
