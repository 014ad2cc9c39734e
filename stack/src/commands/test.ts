/** npm test: everything that must hold, on databases of its own; leaves nothing behind. */
import { say } from "../../launch/progress.mjs";
import { Interrupted, runCommand } from "../command.ts";
import { watchInterruption } from "../interruption.ts";
import { readStackSettings } from "../settings.ts";
import { prepareExtra, prepareMachine } from "../system/prepare.ts";
import { calendarFiles } from "../testing/calendar.ts";
import { runCheck } from "../testing/checks.ts";
import type { Counts } from "../testing/counts.ts";
import { add, formatCounts, none, one } from "../testing/counts.ts";
import { runOnSuite } from "../testing/run-on-suite.ts";
import type { Selection } from "../testing/selection.ts";
import { findTestFiles, select } from "../testing/selection.ts";
import { versions } from "../versions.ts";

const prepare = async (selection: Selection, signal: AbortSignal): Promise<void> => {
  const { neo4j, redisUrl } = readStackSettings(process.env);
  await prepareMachine({ neo4j: !neo4j, redis: !redisUrl }, signal);
  if (!neo4j && calendarFiles(selection).length > 0) await prepareExtra(versions.calendar, signal);
};

await runCommand(async () => {
  const interruption = watchInterruption();
  const selection = select(process.argv.slice(2).join(" ") || undefined, findTestFiles());
  const needsSuite = selection.alone.length + selection.files.length + selection.e2e.length > 0;
  // Waits for the network while the checks take the processor. A failure is met again, and counted, by the suite.
  const prepared = needsSuite ? prepare(selection, interruption.signal).catch(() => {}) : undefined;
  let counts: Counts = none;
  for (const check of selection.checks) {
    counts = add(counts, one(await runCheck(check, interruption.signal)));
    if (interruption.signal.aborted) throw new Interrupted();
  }
  await prepared;
  if (needsSuite)
    counts = add(counts, await runOnSuite(selection, readStackSettings(process.env), interruption));
  const nothing = counts.passed + counts.failed + counts.skipped === 0;
  if (nothing) say(`No check, test file or test is named like ${process.argv.slice(2).join(" ")}.`);
  say(formatCounts(counts));
  return counts.failed > 0 || nothing ? 1 : 0;
});
