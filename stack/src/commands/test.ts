/** npm test: everything that must hold, on databases of its own; leaves nothing behind. */
import { Interrupted, runCommand } from "../command.ts";
import { watchInterruption } from "../interruption.ts";
import { readStackSettings } from "../settings.ts";
import { prepareExtra, prepareMachine } from "../system/prepare.ts";
import { calendarFiles } from "../testing/calendar.ts";
import { runCheck } from "../testing/checks.ts";
import { one } from "../testing/counts.ts";
import { runOnSuite } from "../testing/run-on-suite.ts";
import type { Selection } from "../testing/selection.ts";
import { findTestFiles, select } from "../testing/selection.ts";
import { addTallies, askedFor, conclude, emptyTally, nothingLike } from "../testing/tally.ts";
import { versions } from "../versions.ts";

const prepare = async (selection: Selection, signal: AbortSignal): Promise<void> => {
  const { neo4j, redisUrl } = readStackSettings(process.env);
  await prepareMachine({ neo4j: !neo4j, redis: !redisUrl }, signal);
  if (!neo4j && calendarFiles(selection).length > 0) await prepareExtra(versions.calendar, signal);
};

await runCommand(async () => {
  const interruption = watchInterruption();
  const words = process.argv.slice(2);
  const selection = select(words.join(" ") || undefined, findTestFiles());
  const needsSuite = selection.alone.length + selection.files.length + selection.e2e.length > 0;
  // Waits for the network while the checks take the processor. A failure is met again, and counted, by the suite.
  const prepared = needsSuite ? prepare(selection, interruption.signal).catch(() => {}) : undefined;
  let tally = emptyTally;
  for (const check of selection.checks) {
    tally = addTallies(tally, askedFor(one(await runCheck(check, interruption.signal))));
    if (interruption.signal.aborted) throw new Interrupted();
  }
  await prepared;
  if (needsSuite)
    tally = addTallies(tally, await runOnSuite(selection, readStackSettings(process.env), interruption));
  return conclude(tally, nothingLike(words, "check, test file or test"));
});
