/** Unit, integration and end-to-end tests on a suite of their own, and what is looked at when they have run. */
import { say } from "../../launch/progress.mjs";
import { Refusal } from "../../launch/refusal.mjs";
import { Interrupted } from "../command.ts";
import { shortPath } from "../home.ts";
import type { Interruption } from "../interruption.ts";
import { backendVariables, inherited } from "../parts/variables.ts";
import { keptLogs, makeScratch } from "../scratch.ts";
import { readOrMakeSecrets } from "../secrets.ts";
import type { Session } from "../session.ts";
import { withSession } from "../session.ts";
import type { StackSettings } from "../settings.ts";
import { runOnCalendar } from "./calendar.ts";
import type { Counts } from "./counts.ts";
import { none, one } from "./counts.ts";
import { runJest } from "./jest.ts";
import type { Summary } from "./report.ts";
import { checkLogs } from "./secrets-in-logs.ts";
import { checkRecords } from "./secrets-in-records.ts";
import { needsSecond, runOnSecond } from "./second.ts";
import type { Selection } from "./selection.ts";
import { checkStatements, recordingIn } from "./statements.ts";
import { addTallies, emptyTally, failedIn, lookedAt, type Tally, tested } from "./tally.ts";
import { runSteadily, tellSkipped } from "./unsteady.ts";

const runTests = async (
  selection: Omit<Selection, "checks">,
  session: Session,
  settings: StackSettings,
  done: (summary: Summary) => void,
): Promise<void> => {
  const { suite, backend, startServices } = session;
  const common = { testName: selection.testName, folder: suite.home.root, signal: suite.signal };
  const env = { ...inherited(process.env), ...backendVariables(backend) };
  const recording = { ...env, ...recordingIn(suite.home.root) };
  const steadily = (chosen: readonly string[], variables: NodeJS.ProcessEnv): Promise<Summary> =>
    runSteadily(chosen, (files, workers) => runJest({ ...common, files, workers, env: variables }));
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
export const runOnSuite = async (
  selection: Omit<Selection, "checks">,
  settings: StackSettings,
  interruption: Interruption,
): Promise<Tally> => {
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
  const ran = (...besides: readonly Counts[]): Tally => addTallies(...done.map(tested), lookedAt(...besides));
  const began = new Date();
  let tally = emptyTally;
  try {
    const records = await withSession(options, async (session) => {
      await runTests(selection, session, settings, (summary) => done.push(summary));
      return session.suite.signal.aborted
        ? none
        : checkRecords(session.backend, session.suite.secrets, began);
    });
    const logs = checkLogs(scratch.home, readOrMakeSecrets(scratch.home));
    tally = ran(records, logs, await checkStatements(scratch.home.root, interruption.signal));
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    console.error(error instanceof Refusal ? error.message : error);
    tally = ran(one(false));
  } finally {
    scratch.remove(failedIn(tally) || tally.flaky.length > 0);
  }
  tellSkipped(...done);
  if (failedIn(tally) || tally.flaky.length > 0) say(`Logs of the suite: ${shortPath(keptLogs)}`);
  return tally;
};
