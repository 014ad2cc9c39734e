/** npm run bench authoring: simulations of changes and change sets, beside what the same takes without them. */
import type { Driver } from "neo4j-driver";
import { withClients } from "../access/asks.ts";
import { setUp } from "../access/set-up.ts";
import { openDriver } from "../raw-driver.ts";
import { driveGraph, makeDrive, type Drive } from "../drive/drive.ts";
import { makeQuestions } from "../drive/questions.ts";
import { machineOf } from "../machine.ts";
import { allMet, type Line, targetsTable } from "../targets.ts";
import type { Options, Size } from "../options.ts";
import { removeProject } from "../project.ts";
import { say } from "../../../stack/launch/progress.mjs";
import type { Target } from "../settings.ts";
import { writeSection } from "../write-section.ts";
import { measureBeside } from "./beside.ts";
import { measureChangeSet } from "./change-set.ts";
import { measureSimulations } from "./exact.ts";
import { measureMemory } from "./memory.ts";
import { plan } from "./plan.ts";
import { section } from "./report.ts";

/** Two persons who are members of one group. */
const colleaguesIn = ({ groupsOfPerson }: Drive): readonly [number, number] => {
  const first = new Map<number, number>();
  for (const [person, groups] of groupsOfPerson.entries())
    for (const group of groups) {
      const other = first.get(group);
      if (other !== undefined) return [other, person];
      first.set(group, person);
    }
  throw new Error("no two people are in one group");
};

const measure = async (
  target: Target,
  driver: Driver,
  size: Size,
  drive: Drive,
  created: (id: string) => void,
): Promise<readonly Line[]> => {
  const name = `drive-${size.toLowerCase()}`;
  const project = await setUp(target, driver, name, driveGraph(drive), created);
  const small = makeDrive("S", plan.seed);
  const other = await setUp(target, driver, "beside", driveGraph(small), created);
  const questions = makeQuestions(small, "READ", plan.questions, plan.seed);
  return withClients(target, async (clients) => {
    const client = await clients.access(project);
    return [
      ...(await measureSimulations({ target, projectId: project.id, client, drive })),
      ...(await measureBeside(target, project.id, await clients.access(other), questions)),
      ...(await measureChangeSet(target, project.id, clients.gateway(project), colleaguesIn(drive))),
      await measureMemory(target, project.id, drive),
    ];
  });
};

/**
 * Measures, prints, and writes its section of `docs/benchmarks.md` for the size that the targets are about, L.
 *
 * @returns whether every target is met
 */
export const authoring = async (target: Target, { largest }: Pick<Options, "largest">): Promise<boolean> => {
  const driver = openDriver(target, 2);
  const projects: string[] = [];
  try {
    const machine = await machineOf(driver);
    const drive = makeDrive(largest, plan.seed);
    const lines = await measure(target, driver, largest, drive, (id) => void projects.push(id));
    for (const line of ["", ...targetsTable(lines)]) say(line);
    if (largest === "L")
      writeSection(
        "Authoring",
        section(lines, machine, driveGraph(drive), "npm run bench authoring -- --size L"),
      );
    return allMet(lines);
  } finally {
    for (const id of projects) await removeProject(target, id);
    await driver.close();
  }
};
