/** Integration and end-to-end tests on a scratch suite, and the checks of its logs, records and statements afterwards. */
import { say } from "../../../launch/progress.mjs";
import { UserError } from "../../../launch/user-error.mjs";
import { Interrupted } from "../../command.ts";
import { shortPath } from "../../home.ts";
import type { Interruption } from "../../interruption.ts";
import { backendVariables, inheritEnvironment } from "../../services/variables.ts";
import { keptLogs, makeScratch } from "../../scratch.ts";
import { readOrMakeSecrets } from "../../secrets.ts";
import type { Session } from "../../session.ts";
import { withSession } from "../../session.ts";
import type { StackSettings } from "../../settings.ts";
import { calendarFiles, runOnCalendar } from "./calendar.ts";
import type { Counts } from "./counts.ts";
import { none, one } from "./counts.ts";
import { runEndToEnd } from "./end-to-end.ts";
import { runMocha } from "./mocha.ts";
import type { Summary } from "./report.ts";
import { checkRedisUsers } from "./redis-refusals.ts";
import { checkLogs } from "./secrets-in-logs.ts";
import { checkRecords } from "./secrets-in-records.ts";
import { needsSecond, runOnSecond } from "./second-neo4j.ts";
import type { SuiteSelection } from "./selection.ts";
import { isLongRun } from "../test-environment.ts";
import { Timetable } from "./timetable.ts";
import { addTallies, emptyTally, failedIn, additionalCounts, type Tally, summaryCounts } from "./tally.ts";
import { runWithRetry, reportSkipped } from "./retry.ts";

interface Run {
  readonly selection: SuiteSelection;
  readonly session: Session;
  readonly settings: StackSettings;
  readonly timetable: Timetable;
  /** variables that make integration tests record their statements */
  readonly recording: NodeJS.ProcessEnv;
}

const runTests = async (
  { selection, session, settings, timetable, recording }: Run,
  done: (summary: Summary) => void,
): Promise<void> => {
  const { suite, backend, startServices } = session;
  const common = { testName: selection.testName, folder: suite.home.root, signal: suite.signal };
  const env = { ...inheritEnvironment(process.env), ...backendVariables(backend) };
  const integrationEnv = { ...env, ...recording };
  const part = async (name: string, count: number, work: () => Promise<Summary>): Promise<void> => {
    if (count > 0 && !suite.signal.aborted) done(await timetable.tests(name, work));
  };
  const inProcesses = (variables: NodeJS.ProcessEnv) => (files: readonly string[], processes: number) =>
    runMocha({ ...common, files, processes, env: variables });
  // First, on empty databases, so that every run starts from the same state.
  await part("integration tests, one at a time", selection.alone.length, () =>
    runMocha({ ...common, files: selection.alone, processes: 1, env: integrationEnv }),
  );
  const integration = without(selection.files);
  await part("integration tests", integration.length, () =>
    runWithRetry(integration, inProcesses(integrationEnv)),
  );
  // Before the services start: a small machine cannot run two database servers and all services at once.
  if (isLongRun())
    await part("policy statements on the calendar release of Neo4j", calendarFiles(selection).length, () =>
      runOnCalendar(selection, session, settings),
    );
  const environment = { ...env, IKG_ENVIRONMENT: suite.home.environmentFile };
  if (selection.e2e.length > 0 && !suite.signal.aborted)
    await timetable.time("start of the services", startServices);
  const endToEnd = without(selection.e2e);
  await part("end-to-end tests", endToEnd.length, () => runEndToEnd(endToEnd, inProcesses(environment)));
  const second = [...selection.files, ...selection.e2e].filter(needsSecond);
  await part("tests with a second Neo4j", second.length, () =>
    runOnSecond(session, settings, (more) =>
      runMocha({ ...common, files: second, processes: 1, env: { ...environment, ...more } }),
    ),
  );
};

const without = (files: readonly string[]): string[] => files.filter((file) => !needsSecond(file));

export interface SuiteRun {
  readonly interruption: Interruption;
  readonly timetable?: Timetable;
  /** Variables that make integration tests record their statements. */
  readonly recording?: NodeJS.ProcessEnv;
  /** Ends with the unit tests: the stores start beside them. */
  readonly untilUnits?: Promise<void>;
}

/** Runs tests on a scratch suite; a suite that cannot be started counts as one failure. */
export const runOnSuite = async (
  selection: SuiteSelection,
  settings: StackSettings,
  { interruption, timetable = new Timetable(), recording = {}, untilUnits }: SuiteRun,
): Promise<Tally> => {
  const scratch = await makeScratch();
  const options = {
    home: scratch.home,
    settings,
    port: undefined,
    fresh: false,
    purpose: isLongRun() ? ("test-long" as const) : ("test" as const),
    interruption,
  };
  const done: Summary[] = [];
  const ran = (...additional: readonly Counts[]): Tally =>
    addTallies(...done.map(summaryCounts), additionalCounts(...additional));
  const began = new Date();
  let tally = emptyTally;
  try {
    let endPart = timetable.begin("start of the stores");
    const [records, users] = await withSession(options, async (session) => {
      endPart();
      await untilUnits;
      await runTests({ selection, session, settings, timetable, recording }, (summary) => done.push(summary));
      endPart = timetable.begin("end of the suite");
      return session.suite.signal.aborted
        ? [none, none]
        : [
            await checkRecords(session.backend, session.suite.secrets, began),
            await checkRedisUsers(session.backend),
          ];
    });
    const logs = checkLogs(scratch.home, readOrMakeSecrets(scratch.home));
    endPart();
    tally = ran(records, users, logs);
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    console.error(error instanceof UserError ? error.message : error);
    tally = ran(one(false));
  } finally {
    scratch.remove(failedIn(tally) || tally.flaky.length > 0);
  }
  reportSkipped(...done);
  if (failedIn(tally) || tally.flaky.length > 0) say(`Logs of the suite: ${shortPath(keptLogs)}`);
  return tally;
};
