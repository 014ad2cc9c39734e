/** npm run bench trust: runs of the scorer, beside the same rows read and written by hand. */
import type { Driver } from "neo4j-driver";
import { median } from "../../../stack/src/measurement/statistics.ts";
import { openDriver } from "../raw-driver.ts";
import { machineOf } from "../machine.ts";
import {
  allMet,
  atLeast,
  atMost,
  countText,
  type Line,
  targetsTable,
  perSecondText,
  reported,
} from "../targets.ts";
import { mostOf, watchMemory } from "../memory.ts";
import type { Options } from "../options.ts";
import { agentPermissions, makeAgent, makeProject, removeProject } from "../project.ts";
import { projectKey } from "../project-key.ts";
import { type Random, seeded } from "../random.ts";
import { say } from "../../../stack/launch/progress.mjs";
import type { Target } from "../settings.ts";
import { writeSection } from "../write-section.ts";
import { runRawDriver } from "./raw-driver.ts";
import { measureLoad } from "./load.ts";
import { writePeople } from "./people.ts";
import { targets, plan } from "./plan.ts";
import { section } from "./report.ts";
import { beginRun } from "./runs.ts";

const scorer = "trust-scorer";

interface Place {
  readonly id: string;
  readonly pk: string;
}

const rate = (nodes: number, ms: number): string => perSecondText((nodes / ms) * 1_000);

/** Runs of the scorer and of the raw driver, in turn, each over nodes of its own. */
const measureRounds = async (
  target: Target,
  driver: Driver,
  project: Place,
  random: Random,
): Promise<readonly { readonly rawDriver: number; readonly ours: number }[]> => {
  const found: { rawDriver: number; ours: number }[] = [];
  for (let round = 0; round <= plan.rounds; round++) {
    const nodes = round === 0 ? plan.warmUp : plan.roundNodes;
    const ways = {
      rawDriver: () => runRawDriver(driver, project.pk, `Raw${round}`),
      ours: async () => (await beginRun(target, project.id, `Person${round}`)).ended(),
    };
    for (const type of [`Raw${round}`, `Person${round}`])
      await writePeople(driver, project.pk, type, nodes, random);
    const times = { rawDriver: 0, ours: 0 };
    for (const way of round % 2 === 0 ? (["ours", "rawDriver"] as const) : (["rawDriver", "ours"] as const))
      times[way] = await ways[way]();
    say(`raw driver: ${rate(nodes, times.rawDriver)}, scorer: ${rate(nodes, times.ours)}`);
    if (round > 0) found.push(times);
  }
  return found;
};

const measureRuns = async (
  target: Target,
  driver: Driver,
  project: Place,
  nodes: number,
): Promise<readonly Line[]> => {
  const random = seeded(plan.seed);
  const rounds = await measureRounds(target, driver, project, random);
  const rawDriver = median(rounds.map((each) => each.rawDriver));
  await writePeople(driver, project.pk, "Person", nodes, random);
  const { result: ours, samples } = await watchMemory(target, [scorer], async () =>
    (await beginRun(target, project.id, "Person")).ended(),
  );
  say(`scorer: ${rate(nodes, ours)}`);
  const third = (n: number) =>
    samples.slice(Math.floor((samples.length * n) / 3), Math.ceil((samples.length * (n + 1)) / 3));
  const [early, late] = [mostOf(third(1), scorer), mostOf(third(2), scorer)];
  const most = mostOf(samples, scorer);
  return [
    {
      what: `runs of ${countText(plan.roundNodes)} nodes`,
      figure: rate(plan.roundNodes, median(rounds.map((each) => each.ours))),
      ...atLeast(median(rounds.map((each) => each.rawDriver / each.ours)), targets.rate),
      baseline: `raw read and UNWIND: ${rate(plan.roundNodes, rawDriver)}`,
    },
    {
      what: `a run of ${countText(nodes)} nodes`,
      figure: rate(nodes, ours),
      ...reported(((rawDriver / plan.roundNodes) * nodes) / ours),
      baseline: "the same",
    },
    {
      what: "memory of the scorer in it, at most",
      figure: `${most.toFixed(0)} MB`,
      ratio: "",
      target: `under ${targets.memoryMb} MB`,
      baseline: "",
      met: most < targets.memoryMb,
    },
    {
      what: "memory in its last third",
      figure: `${late.toFixed(0)} MB`,
      ...atMost(late / early, targets.flat),
      baseline: `in its second third: ${early.toFixed(0)} MB`,
    },
  ];
};

/** Measures, prints, writes its section of `docs/benchmarks.md`. @returns whether every target is met */
export const trust = async (target: Target, { nodes }: Options): Promise<boolean> => {
  const driver = openDriver(target, plan.callers);
  let created: string | undefined;
  try {
    const machine = await machineOf(driver);
    const id = await makeProject(target, "trust");
    created = id;
    const agent = await makeAgent(target, id, agentPermissions);
    const pk = await projectKey(driver, id);
    const runs = await measureRuns(target, driver, { id, pk }, nodes);
    await writePeople(driver, pk, "Guest", Math.min(nodes, plan.beside), seeded(plan.seed));
    const load = await measureLoad(target, driver, { id, pk, agent }, () => beginRun(target, id, "Guest"));
    const lines = [...runs, ...load];
    const command = `npm run bench trust${nodes === 100_000 ? "" : ` -- --nodes ${nodes}`}`;
    writeSection("Trust scores", section(lines, machine, nodes, command));
    for (const line of ["", ...targetsTable(lines)]) say(line);
    return allMet(lines);
  } finally {
    if (created !== undefined) await removeProject(target, created);
    await driver.close();
  }
};
