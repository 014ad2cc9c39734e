/** npm run bench cli: how fast the command line imports, starts, decides and plans. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDriver } from "../raw-driver.ts";
import { machineOf } from "../machine.ts";
import type { Options } from "../options.ts";
import { removeProject } from "../project.ts";
import { say } from "../../../stack/launch/progress.mjs";
import type { Target } from "../settings.ts";
import { allMet, targetsTable } from "../targets.ts";
import { writeSection } from "../write-section.ts";
import { measureImport } from "./import.ts";
import { buildCli, runNode, type RunOptions } from "./program.ts";
import { section } from "./report.ts";
import { setUp } from "./set-up.ts";
import { measureTimes } from "./times.ts";

/** Measures, prints, writes its section of `docs/benchmarks.md`. @returns whether every target is met */
export const cli = async (target: Target, { rows }: Options): Promise<boolean> => {
  const driver = openDriver(target, 1);
  const folder = mkdtempSync(join(tmpdir(), "ikg-bench-cli-"));
  let projectId: string | undefined;
  try {
    const machine = await machineOf(driver);
    const variables = await setUp(target, (id) => (projectId = id));
    const env = { PATH: process.env["PATH"] ?? "", HOME: folder, ...variables };
    const options: RunOptions = { cwd: folder, env };
    const program = await buildCli(folder, options);
    await runNode([program, "pull", "project"], options);
    const times = await measureTimes(program, "project", options);
    const lines = [...(await measureImport(program, rows, options)), ...times];
    writeSection("Command line", section(lines, machine, rows));
    for (const line of ["", ...targetsTable(lines)]) say(line);
    return allMet(lines);
  } finally {
    if (projectId !== undefined) await removeProject(target, projectId);
    rmSync(folder, { recursive: true, force: true });
    await driver.close();
  }
};
