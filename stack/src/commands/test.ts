/**
 * npm test: the checks and tests that a change must pass, on scratch databases that are removed afterwards. With
 * `IKG_LONG=1`, which npm run test:long sets, every test runs.
 */
import { randomInt } from "node:crypto";
import { say } from "../../launch/progress.mjs";
import { UserError } from "../../launch/user-error.mjs";
import { Interrupted, runCommand } from "../command.ts";
import { type Interruption, watchInterruption } from "../interruption.ts";
import { inheritEnvironment } from "../services/variables.ts";
import { changedSince, cleanCommit, noteRun } from "../release/green-run.ts";
import { makeScratch } from "../scratch.ts";
import { readStackSettings } from "../settings.ts";
import { prepareBrowser } from "../system/browser.ts";
import { prepareExtra, prepareMachine } from "../system/prepare.ts";
import { calendarFiles } from "../testing/runner/calendar.ts";
import { checks, runCheck } from "../testing/runner/checks.ts";
import { add, none, one } from "../testing/runner/counts.ts";
import { printedHelp } from "../testing/runner/help.ts";
import { runMocha } from "../testing/runner/mocha.ts";
import { reportSkipped, runWithRetry } from "../testing/runner/retry.ts";
import { summarize } from "../testing/runner/report.ts";
import { runOnSuite } from "../testing/runner/run-on-suite.ts";
import {
  beginRecord,
  continueRecord,
  endRecord,
  printBefore,
  reportsIn,
  reportsVariable,
  runFolder,
  without,
} from "../testing/runner/run-record.ts";
import type { Selection } from "../testing/runner/selection.ts";
import { findTestFiles, select } from "../testing/runner/selection.ts";
import { withStatements } from "../testing/runner/statements.ts";
import {
  addTallies,
  additionalCounts,
  conclude,
  emptyTally,
  failedIn,
  nothingMatched,
  requestedCounts,
  summaryCounts,
  type Tally,
} from "../testing/runner/tally.ts";
import { isLongRun } from "../testing/test-environment.ts";
import { Timetable } from "../testing/runner/timetable.ts";
import { versions } from "../versions.ts";

/** The variable from which random tests read their seed. */
const seedVariable = "IKG_FUZZ_SEED";

/** The seed of the environment, which draws the same cases again; otherwise a new one. */
const chooseSeed = (env: NodeJS.ProcessEnv): string => env[seedVariable] || String(randomInt(2 ** 31 - 1));

const prepare = async (selection: Selection, signal: AbortSignal): Promise<void> => {
  const { neo4j, redisUrl } = readStackSettings(process.env);
  await prepareMachine({ neo4j: !neo4j, redis: !redisUrl }, signal);
  if (isLongRun() && !neo4j && calendarFiles(selection).length > 0)
    await prepareExtra(versions.calendar, signal);
  // Here once, instead of by several test files at a time; where there is none they say why.
  if (selection.e2e.some((file) => file.startsWith("e2e/test/console/"))) await prepareBrowser(signal);
};

const runChecks = async (
  { checks: chosen }: Selection,
  timetable: Timetable,
  signal: AbortSignal,
): Promise<Tally> => {
  if (chosen.length === 0) return emptyTally;
  const counts = await timetable.counted("checks", async () => {
    let sum = none;
    for (const check of chosen) {
      sum = add(sum, one(await runCheck(check, signal)));
      if (signal.aborted) throw new Interrupted();
    }
    return sum;
  });
  return requestedCounts(counts);
};

const runUnits = async (
  { unit, testName }: Selection,
  timetable: Timetable,
  recording: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Tally> => {
  if (unit.length === 0) return emptyTally;
  const scratch = await makeScratch();
  let tally = emptyTally;
  try {
    const env = { ...inheritEnvironment(process.env), ...recording };
    const common = { testName, env, folder: scratch.home.root, signal };
    const summary = await timetable.tests("unit tests", () =>
      runWithRetry(unit, (files, processes) => runMocha({ ...common, files, processes })),
    );
    if (signal.aborted) throw new Interrupted();
    reportSkipped(summary);
    tally = summaryCounts(summary);
  } finally {
    scratch.remove(failedIn(tally));
  }
  return tally;
};

/** The tests, then the check of the statements that they have printed: of unit tests, in the long run of all. */
const runTests = async (
  selection: Selection,
  timetable: Timetable,
  interruption: Interruption,
  statementsKept: string | undefined,
): Promise<Tally> => {
  const { signal } = interruption;
  const needsSuite = selection.alone.length + selection.files.length + selection.e2e.length > 0;
  // Downloads while the checks use the processor. A failure occurs again in the suite, where it is counted.
  const prepared = needsSuite
    ? timetable.time("Neo4j, Redis and browser", () => prepare(selection, signal)).catch(() => {})
    : undefined;
  const [tally, statements] = await withStatements(timetable, signal, statementsKept, async (recording) => {
    const units = runUnits(selection, timetable, recording, signal);
    if (!needsSuite) return units;
    const untilUnits = units.then(
      () => undefined,
      () => undefined,
    );
    await prepared;
    const ofSuite = isLongRun() ? recording : {};
    try {
      const settings = readStackSettings(process.env);
      const suite = await runOnSuite(selection, settings, {
        interruption,
        timetable,
        recording: ofSuite,
        untilUnits,
      });
      return addTallies(await units, suite);
    } finally {
      await untilUnits;
    }
  });
  return addTallies(tally, additionalCounts(statements));
};

const help: readonly string[] = [
  "npm test                         the checks and the tests that a change must pass; about 8 minutes on two cores",
  `npm test -- CHECK                one check: ${checks.map(({ name }) => name).join(", ")}`,
  "npm test -- PATTERN              test files whose path matches this regular expression, else tests whose name does",
  "npm run test:long                everything; takes hours",
  "npm run test:long -- --continue  what is left of one that was interrupted, or failed until tests were mended",
  "docs/testing.md says which test belongs where.",
];

const continueOption = "--continue";

/** What was asked for: a name, or a whole run, which may continue another one. @throws UserError */
const readWords = (words: readonly string[]) => {
  const names = words.filter((word) => word !== continueOption);
  const isWhole = names.length === 0;
  const isContinued = names.length < words.length;
  if (isContinued && !(isWhole && isLongRun()))
    throw new UserError(
      `${continueOption} is for the whole long run: npm run test:long -- ${continueOption}`,
    );
  return { names, isWhole, isContinued };
};

await runCommand(async () => {
  const words = process.argv.slice(2);
  if (printedHelp(words, help, [continueOption])) return 0;
  const { names, isWhole, isContinued } = readWords(words);
  const interruption = watchInterruption();
  const { signal } = interruption;
  const commit = cleanCommit();
  const selected = select(names.join(" ") || undefined, findTestFiles(), isLongRun());
  const isUnit = (file: string) => selected.unit.includes(file);
  const former = isContinued ? continueRecord(commit, changedSince, isUnit) : undefined;
  const seed = former?.seed ?? chooseSeed(process.env);
  process.env[seedVariable] = seed;
  const before = summarize(former?.reports ?? []);
  const recorded = isWhole && isLongRun() ? commit : undefined;
  if (former) printBefore(before);
  else if (recorded !== undefined) beginRecord({ commit: recorded, seed });
  const folder = recorded === undefined ? undefined : runFolder;
  // Empty for others: a run that a test starts is no part of this one.
  process.env[reportsVariable] = folder === undefined ? "" : reportsIn(folder);
  const selection = without(
    selected,
    before.files.map(({ file }) => file),
  );
  const timetable = new Timetable();
  // Beside the tests, which wait for timers and databases. Its failure is looked at when no test runs any more.
  const checked = Promise.allSettled([runChecks(selection, timetable, signal)]);
  const tested = await runTests(selection, timetable, interruption, folder);
  const [ended] = await checked;
  if (ended.status === "rejected") throw ended.reason;
  const tally = addTallies(summaryCounts(before), ended.value, tested);
  timetable.print();
  if (selection.leftOut > 0)
    say(`${selection.leftOut} more files are run by npm run test:long, or where they are named.`);
  say(`Random tests drew with seed ${seed}; ${seedVariable}=${seed} draws the same cases.`);
  const code = conclude(tally, nothingMatched(words, "check, test file or test"));
  const { firstCommit } = former ?? {};
  if (isWhole)
    noteRun({ commit, firstCommit, isLong: isLongRun(), skipped: tally.skipped, passed: code === 0 });
  if (folder !== undefined) endRecord(tally);
  return code;
});
