/** npm run bench access: decisions and searches, beside the same by hand and by Cerbos. */
import { openDriver } from "../raw-driver.ts";
import { machineOf } from "../machine.ts";
import { allMet, type Line, targetsTable } from "../targets.ts";
import type { Options, Size } from "../options.ts";
import { removeProject } from "../project.ts";
import { say } from "../../../stack/launch/progress.mjs";
import type { Target } from "../settings.ts";
import { writeSection } from "../write-section.ts";
import { withClients } from "./asks.ts";
import { measureBatch } from "./batch.ts";
import type { Bench } from "./bench.ts";
import { measureCandidates } from "./candidates.ts";
import { cerbosVersion } from "./cerbos.ts";
import { withCerbos } from "./cerbos-pair.ts";
import { measureDecisions } from "./decisions.ts";
import { measureFreshness } from "./freshness.ts";
import { measureDegrees, measureGrowth } from "./growth.ts";
import { mostCallers, targets } from "./plan.ts";
import { makeProjects, type Projects } from "./projects.ts";
import { section } from "./report.ts";
import { measureSearch } from "./search.ts";
import { measureSoak } from "./soak.ts";

const sizesOf = ({ largest }: Options): readonly Size[] => (largest === "L" ? ["S", "M", "L"] : ["S", "M"]);

const commandOf = ({ largest, freshness, soakMinutes }: Options): string =>
  [
    "npm run bench access --",
    ...(largest === "L" ? ["--size L"] : []),
    ...(freshness === 1_000 ? [] : [`--freshness ${freshness}`]),
    ...(soakMinutes === 0 ? [] : [`--soak ${soakMinutes}`]),
  ]
    .join(" ")
    .replace(/ --$/, "");

/** @param memory megabytes of each process, at most, while the most callers asked */
const memoryLines = (memory: Readonly<Record<string, number>>): readonly Line[] =>
  Object.entries(memory).map(([name, most]) => ({
    what: `memory of ${name}, ${mostCallers} callers`,
    figure: `${most.toFixed(0)} MB`,
    ratio: "",
    target: `at most ${targets.memoryMb} MB`,
    baseline: "",
    met: most <= targets.memoryMb,
  }));

const measureAll = async (
  bench: Bench,
  { drives, hubs }: Projects,
  options: Options,
): Promise<readonly Line[]> => {
  const small = drives[0]?.questions;
  if (small === undefined) throw new Error("no drive");
  const { lines, memory } = await withCerbos(bench.target, (addresses) =>
    measureDecisions(bench, small.READ, addresses),
  );
  return [
    ...lines,
    ...(await measureBatch(bench, small.READ)),
    ...(await measureCandidates(bench, small.VIEW)),
    ...(await measureSearch(bench, hubs)),
    ...(await measureGrowth(bench, drives)),
    ...(await measureDegrees(bench, hubs)),
    ...(await measureFreshness(bench, options.freshness)),
    ...memoryLines(memory),
    ...(await measureSoak(bench, small.READ, options.soakMinutes)),
  ];
};

/** Measures, prints, writes its section of `docs/benchmarks.md`. @returns whether every target is met */
export const access = async (target: Target, options: Options): Promise<boolean> => {
  const driver = openDriver(target, mostCallers);
  const created: string[] = [];
  try {
    const machine = await machineOf(driver);
    const projects = await makeProjects(target, driver, sizesOf(options), (id) => void created.push(id));
    const project = projects.drives[0]?.project;
    if (project === undefined) throw new Error("no drive");
    const lines = await withClients(target, (clients) =>
      measureAll({ target, driver, clients, project }, projects, options),
    );
    writeSection("Access", section(lines, machine, cerbosVersion(), projects.data, commandOf(options)));
    for (const line of ["", ...targetsTable(lines)]) say(line);
    return allMet(lines);
  } finally {
    for (const id of created) await removeProject(target, id);
    await driver.close();
  }
};
