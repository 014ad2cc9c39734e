/** npm test: everything that must hold, on databases of its own; leaves nothing behind. */
import { say } from "../../launch/progress.mjs";
import { Refusal } from "../../launch/refusal.mjs";
import { Interrupted, runCommand } from "../command.ts";
import { shortPath } from "../home.ts";
import type { Interruption } from "../interruption.ts";
import { watchInterruption } from "../interruption.ts";
import { backendVariables, inherited } from "../parts/variables.ts";
import { keptLogs, makeScratch } from "../scratch.ts";
import { readOrMakeSecrets } from "../secrets.ts";
import type { Session } from "../session.ts";
import { withSession } from "../session.ts";
import type { StackSettings } from "../settings.ts";
import { readStackSettings } from "../settings.ts";
import { prepareExtra, prepareMachine } from "../system/prepare.ts";
import { calendarFiles, runOnCalendar } from "../testing/calendar.ts";
import { runCheck } from "../testing/checks.ts";
import type { Counts } from "../testing/counts.ts";
import { add, formatCounts, none, one } from "../testing/counts.ts";
import { runJest } from "../testing/jest.ts";
import type { Summary } from "../testing/report.ts";
import type { Selection } from "../testing/selection.ts";
import { findTestFiles, select } from "../testing/selection.ts";
import { checkLogs } from "../testing/secrets-in-logs.ts";
import { checkRecords } from "../testing/secrets-in-records.ts";
import { needsSecond, runOnSecond } from "../testing/second.ts";
import { checkStatements, recordingIn } from "../testing/statements.ts";
import { unlessUnsteady } from "../testing/unsteady.ts";
import { versions } from "../versions.ts";

/** Two at a time leave the databases some of two cores. */
const workers = 2;

const runTests = async (
  selection: Selection,
  session: Session,
  settings: StackSettings,
  done: (summary: Summary) => void,
): Promise<void> => {
  const { suite, backend, startServices } = session;
  const common = { testName: selection.testName, folder: suite.home.root, signal: suite.signal };
  const env = { ...inherited(process.env), ...backendVariables(backend) };
  const recording = { ...env, ...recordingIn(suite.home.root) };
  const steadily = async (files: readonly string[], variables: NodeJS.ProcessEnv): Promise<Summary> =>
    unlessUnsteady(await runJest({ ...common, files, workers, env: variables }), (failed) =>
      runJest({ ...common, files: failed, workers: 1, env: variables }),
    );
  // On databases that hold nothing yet, so that every run finds them alike.
  if (selection.alone.length > 0)
    done(await runJest({ ...common, files: selection.alone, workers: 1, env: recording }));
  const [second, usual] = [selection.files.filter(needsSecond), without(selection.files)];
  if (usual.length > 0 && !suite.signal.aborted) done(await steadily(usual, recording));
  if (!suite.signal.aborted) {
    // Before the services start: two servers and five services together are more than a small machine has.
    const summary = await runOnCalendar(selection, session, settings);
    if (summary) done(summary);
  }
  const [secondE2e, usualE2e] = [selection.e2e.filter(needsSecond), without(selection.e2e)];
  const environment = { ...env, IKG_ENVIRONMENT: suite.home.environmentFile };
  if (selection.e2e.length > 0 && !suite.signal.aborted) await startServices();
  if (usualE2e.length > 0 && !suite.signal.aborted) done(await steadily(usualE2e, environment));
  const both = [...second, ...secondE2e];
  if (both.length > 0 && !suite.signal.aborted)
    done(
      await runOnSecond(session, settings, (more) =>
        runJest({ ...common, files: both, workers: 1, env: { ...environment, ...more } }),
      ),
    );
};

const without = (files: readonly string[]): string[] => files.filter((file) => !needsSecond(file));

/** Tests on a suite of their own; what keeps it from running counts as one failure. */
const runOnSuite = async (selection: Selection, interruption: Interruption): Promise<Counts> => {
  const settings = readStackSettings(process.env);
  const scratch = await makeScratch();
  const options = {
    home: scratch.home,
    settings,
    port: undefined,
    fresh: false,
    purpose: "test" as const,
    interruption,
  };
  const done: Summary[] = [];
  const unsteady = (): string[] => done.flatMap(({ unsteadyFiles }) => unsteadyFiles);
  const began = new Date();
  let counts: Counts = none;
  try {
    const records = await withSession(options, async (session) => {
      await runTests(selection, session, settings, (summary) => done.push(summary));
      return session.suite.signal.aborted
        ? none
        : checkRecords(session.backend, session.suite.secrets, began);
    });
    const logs = checkLogs(scratch.home, readOrMakeSecrets(scratch.home));
    counts = add(...done, records, logs, await checkStatements(scratch.home.root, interruption.signal));
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    console.error(error instanceof Refusal ? error.message : error);
    counts = add(...done, one(false));
  } finally {
    scratch.remove(counts.failed > 0 || unsteady().length > 0);
  }
  for (const file of unsteady()) say(`unsteady: ${file} failed beside others and passed by itself`);
  for (const name of done.flatMap(({ skippedNames }) => skippedNames)) say(`skipped: ${name}`);
  if (counts.failed > 0 || unsteady().length > 0) say(`Logs of the suite: ${shortPath(keptLogs)}`);
  return counts;
};

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
  if (needsSuite) counts = add(counts, await runOnSuite(selection, interruption));
  const nothing = counts.passed + counts.failed + counts.skipped === 0;
  if (nothing) say(`No check, test file or test is named like ${process.argv.slice(2).join(" ")}.`);
  say(formatCounts(counts));
  return counts.failed > 0 || nothing ? 1 : 0;
});
