/** npm run bench -- console: how soon the console is usable, and whether it stays so while one works. */
import type { Browser } from "playwright-core";
import { openDriver } from "../raw-driver.ts";
import { machineOf } from "../machine.ts";
import { removeProject } from "../project.ts";
import { say } from "../../../stack/launch/progress.mjs";
import type { Target } from "../settings.ts";
import { allMet, targetsTable } from "../targets.ts";
import { writeSection } from "../write-section.ts";
import { openBrowser } from "./browser.ts";
import { measureDrawing } from "./drawing.ts";
import { measureOpening } from "./opening.ts";
import { linesOf, section } from "./report.ts";
import { setUp } from "./set-up.ts";
import { measureBlocking } from "./typing.ts";

/** Measures, prints, writes its section of `docs/benchmarks.md`. @returns whether every target is met */
export const measureConsole = async (target: Target): Promise<boolean> => {
  const driver = openDriver(target, 1);
  let browser: Browser | undefined;
  let projectId: string | undefined;
  try {
    const machine = await machineOf(driver);
    browser = await openBrowser();
    const project = await setUp(target, (id) => (projectId = id));
    const search = `?project=${encodeURIComponent(project)}`;
    const opening = await measureOpening(browser, target);
    const blocking = await measureBlocking(browser, target, search);
    const lines = linesOf(opening, blocking, await measureDrawing(browser, target, search));
    writeSection("Console", section(lines, machine, browser.version()));
    for (const line of ["", ...targetsTable(lines)]) say(line);
    return allMet(lines);
  } finally {
    await browser?.close();
    if (projectId !== undefined) await removeProject(target, projectId);
    await driver.close();
  }
};
