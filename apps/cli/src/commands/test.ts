import { collectTexts } from "../input/value.ts";
import { wholeNumber } from "../input/whole-number.ts";
import type { CommandModule } from "../program/command-module.ts";
import { CommandFault, type ExitCode, type CommandEnvironment } from "../command-environment.ts";
import { coverageOf } from "../policy-tests/coverage/coverage.ts";
import { findTestFiles } from "../policy-tests/find-files.ts";
import { exitCodeOf, type Report } from "../policy-tests/report/report.ts";
import { reporters, type WriteReport, writerOf } from "../policy-tests/report/reporters.ts";
import type { FileResult } from "../policy-tests/run/result.ts";
import { reusedProjects } from "../policy-tests/run/reused-projects.ts";
import { freshProjects } from "../policy-tests/run/run-file.ts";
import { openSession, type Session } from "../policy-tests/run/session.ts";
import { addressOf, type AddressOptions } from "../policy-tests/suite/address.ts";
import { concerns, openWatcher } from "../policy-tests/watch.ts";

interface Options extends AddressOptions {
  readonly reporter: readonly string[];
  readonly coverage?: true;
  readonly coverageThreshold?: number;
  readonly watch?: true;
  readonly jobs: number;
  readonly resolverHost: string;
}

const touchMs = 120_000;

const countsCoverage = ({ coverage, coverageThreshold }: Options): boolean =>
  coverage === true || coverageThreshold !== undefined;

const reportOf = (
  files: readonly FileResult[],
  all: readonly FileResult[],
  options: Options,
  milliseconds: number,
): Report => ({
  files,
  coverage: countsCoverage(options) ? coverageOf(all) : undefined,
  threshold: options.coverageThreshold,
  milliseconds: Math.round(milliseconds),
});

/** Runs once; undefined if interrupted. */
const runOnce = async (
  session: Session,
  files: readonly string[],
  options: Options,
  writers: readonly WriteReport[],
  signal: AbortSignal,
): Promise<ExitCode | undefined> => {
  const started = performance.now();
  const interrupted = new Promise<undefined>((resolve) => {
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  const results = await Promise.race([session.run(files, signal), interrupted]);
  if (results === undefined) return undefined;
  const report = reportOf(results, results, options, performance.now() - started);
  for (const write of writers) await write(report);
  return exitCodeOf(report);
};

/** Runs everything, and the affected files after every change, until interrupted. */
const runWatching = async (
  session: Session,
  files: readonly string[],
  options: Options,
  writers: readonly WriteReport[],
  { signal, showMessage }: { readonly signal: AbortSignal; readonly showMessage: (text: string) => void },
): Promise<ExitCode> => {
  const watcher = openWatcher();
  const latest = new Map<string, FileResult>();
  const touching = setInterval(() => void session.touch().catch(() => undefined), touchMs);
  let code: ExitCode = 2;
  try {
    watcher.watch(files);
    for (let due = files; ;) {
      const started = performance.now();
      const results = await session.run(due, signal);
      if (signal.aborted) return code;
      // Started before the report, so that an edit in response to it is not missed.
      watcher.watch(files.flatMap((file) => [file, ...session.dependenciesOf(file)]));
      due.forEach((file, index) => {
        const result = results[index];
        if (result !== undefined) latest.set(file, result);
      });
      const report = reportOf(results, [...latest.values()], options, performance.now() - started);
      for (const write of writers) await write(report);
      code = exitCodeOf({ ...report, files: [...latest.values()] });
      showMessage("Waiting for changes; press Ctrl-C to stop.\n");
      do {
        const changed = await watcher.changes(signal);
        if (signal.aborted) return code;
        due = files.filter((file) => concerns([file, ...session.dependenciesOf(file)], changed));
      } while (due.length === 0);
    }
  } finally {
    // Either would keep the process alive, also after an error.
    clearInterval(touching);
    watcher.close();
  }
};

const run = async (
  paths: readonly string[],
  options: Options,
  environment: CommandEnvironment,
): Promise<ExitCode> => {
  const writers = (options.reporter.length === 0 ? ["readable"] : options.reporter).map((each) =>
    writerOf(each, environment),
  );
  const { cwd } = environment;
  const { jobs, resolverHost } = options;
  const files = await findTestFiles(cwd, paths.length === 0 ? ["."] : paths);
  const isWatching = options.watch === true;
  const session = openSession(() => addressOf(options, environment), {
    cwd,
    jobs,
    resolverHost,
    openPool: isWatching ? reusedProjects : freshProjects,
    explainsAll: countsCoverage(options),
  });
  const signal = environment.interruption();
  try {
    if (isWatching)
      return await runWatching(session, files, options, writers, { signal, showMessage: environment.error });
    const code = await runOnce(session, files, options, writers, signal);
    if (code === undefined) throw new CommandFault("interrupted");
    return code;
  } finally {
    await session.close();
  }
};

/** `ikg test`: policy tests, docs/policy-tests.md. */
export const command: CommandModule<[readonly string[]], Options> = {
  description: [
    "Loads each file into a temporary project, runs its tests, and deletes the project. The credential is the first of: the one of --context, IKG_SERVICE_ACCOUNT_TOKEN, the one of environment.json, IKG_TOKEN with IKG_URL, and the one of the current context.",
  ],
  examples: [
    { purpose: "Run all test files below a folder", command: "ikg test examples/airfield" },
    {
      purpose: "Write reports for the terminal and for CI, with coverage",
      command: "ikg test examples/airfield --reporter readable --reporter junit=report.xml --coverage",
    },
  ],
  exitCodes: { 0: "passed", 1: "a test failed, or the coverage is below the threshold" },
  configure: (command) =>
    void command
      .argument(
        "[paths...]",
        "test files (NAME.ikg.yaml, NAME.ikg.json) and folders; default: current folder",
      )
      .option(
        "--environment <file>",
        "environment.json of a suite (or IKG_ENVIRONMENT; default: .ikg/environment.json)",
      )
      .option(
        "--reporter <name[=file]>",
        `${Object.keys(reporters).join(", ")}; repeatable (default: readable)`,
        collectTexts,
        [],
      )
      .option("--coverage", "report which parts of policies and queries no test covers")
      .option(
        "--coverage-threshold <percent>",
        "fail if the coverage is below this percentage",
        wholeNumber(0, 100),
      )
      .option("--watch", "run affected tests again after each change, until Ctrl-C")
      .option("--jobs <number>", "number of files to run concurrently", wholeNumber(1, 64), 4)
      .option(
        "--resolver-host <address>",
        "address of this machine under which the suite reaches the simulated external data resolvers",
        "127.0.0.1",
      ),
  run: ({ args: [paths], options, environment }) => run(paths, options, environment),
};
