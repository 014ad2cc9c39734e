/** npm run bench audit: what records cost a decision, and how fast chains are written, exported and verified. */
import type { Driver } from "neo4j-driver";
import { setUp } from "../access/set-up.ts";
import { openDriver } from "../raw-driver.ts";
import { driveGraph, makeDrive } from "../drive/drive.ts";
import { makeQuestions } from "../drive/questions.ts";
import { machineOf } from "../machine.ts";
import { allMet, type Line, targetsTable } from "../targets.ts";
import type { Options } from "../options.ts";
import { removeProject } from "../project.ts";
import { say } from "../../../stack/launch/progress.mjs";
import type { Target } from "../settings.ts";
import { writeSection } from "../write-section.ts";
import { measureDecisions } from "./decisions.ts";
import { withDeployments } from "./deployments.ts";
import { measureExport } from "./export.ts";
import { plan } from "./plan.ts";
import { section } from "./report.ts";
import { openStream } from "./stream.ts";
import { measureWriter } from "./writer.ts";

const measureAll = async (
  target: Target,
  driver: Driver,
  records: number,
  created: (id: string) => void,
): Promise<readonly Line[]> => {
  const drive = makeDrive("S", plan.seed);
  const { id, agent } = await setUp(target, driver, "audit", driveGraph(drive), created);
  const questions = makeQuestions(drive, "READ", plan.questions, plan.seed);
  const stream = openStream(target, id);
  try {
    const { lines, record } = await withDeployments(target, agent.apiKey, (deployments) =>
      measureDecisions(deployments, stream, questions),
    );
    const writer = await measureWriter(target, stream, record, records);
    return [...lines, ...writer.lines, ...(await measureExport(target, id, writer.stored))];
  } finally {
    await stream.release();
    stream.close();
  }
};

/** Measures, prints, writes its section of `docs/benchmarks.md`. @returns whether every target is met */
export const audit = async (target: Target, { records }: Options): Promise<boolean> => {
  const driver = openDriver(target, plan.callers);
  const created: string[] = [];
  try {
    const machine = await machineOf(driver);
    const lines = await measureAll(target, driver, records, (id) => void created.push(id));
    const command = `npm run bench audit${records === 1_000_000 ? "" : ` -- --records ${records}`}`;
    writeSection("Audit", section(lines, machine, command));
    for (const line of ["", ...targetsTable(lines)]) say(line);
    return allMet(lines);
  } finally {
    for (const id of created) await removeProject(target, id);
    await driver.close();
  }
};
