import { collectTexts } from "../input/value.ts";
import { wholeNumber } from "../input/whole-number.ts";
import type { CommandModule } from "../program/command-module.ts";
import { CommandFault, type ExitCode, type Surroundings } from "../surroundings.ts";
import { coverageOf } from "../policy-tests/coverage/coverage.ts";
import { findTestFiles } from "../policy-tests/find-files.ts";
import { exitCodeOf, type Report } from "../policy-tests/report/report.ts";
import { reporters, type WriteReport, writerOf } from "../policy-tests/report/reporters.ts";
import { keptPlaces } from "../policy-tests/run/kept-places.ts";
import type { FileResult } from "../policy-tests/run/result.ts";
import { freshPlaces } from "../policy-tests/run/run-file.ts";
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

/** Runs once; undefined when it was interrupted. */
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
  const results = await Promise.race([session.run(files), interrupted]);
  if (results === undefined) return undefined;
  const report = reportOf(results, results, options, performance.now() - started);
  for (const write of writers) await write(report);
  return exitCodeOf(report);
};

/** Runs everything, and after every change what it concerns, until it is interrupted. */
const runWatching = async (
  session: Session,
  files: readonly string[],
  options: Options,
  writers: readonly WriteReport[],
  { signal, say }: { readonly signal: AbortSignal; readonly say: (text: string) => void },
): Promise<ExitCode> => {
  const watcher = openWatcher();
  const latest = new Map<string, FileResult>();
  const touching = setInterval(() => void session.touch().catch(() => undefined), touchMs);
  let code: ExitCode = 2;
  watcher.watch(files);
  for (let due = files; !signal.aborted;) {
    const started = performance.now();
    const results = await session.run(due);
    // Before the report: an edit in response to it must not be missed.
    watcher.watch(files.flatMap((file) => [file, ...session.dependenciesOf(file)]));
    due.forEach((file, index) => {
      const result = results[index];
      if (result !== undefined) latest.set(file, result);
    });
    const report = reportOf(results, [...latest.values()], options, performance.now() - started);
    for (const write of writers) await write(report);
    code = exitCodeOf({ ...report, files: [...latest.values()] });
    say("Waiting for changes; Ctrl-C ends.\n");
    do {
      const changed = await watcher.changes(signal);
      due = files.filter((file) => concerns([file, ...session.dependenciesOf(file)], changed));
    } while (due.length === 0 && !signal.aborted);
  }
  clearInterval(touching);
  watcher.close();
  return code;
};

const run = async (paths: readonly string[], options: Options, around: Surroundings): Promise<ExitCode> => {
  const writers = (options.reporter.length === 0 ? ["readable"] : options.reporter).map((each) =>
    writerOf(each, around),
  );
  const { cwd } = around;
  const { jobs, resolverHost } = options;
  const files = await findTestFiles(cwd, paths.length === 0 ? ["."] : paths);
  const isWatching = options.watch === true;
  const session = openSession(() => addressOf(options, around), {
    cwd,
    jobs,
    resolverHost,
    places: isWatching ? keptPlaces : freshPlaces,
    explainsAll: countsCoverage(options),
  });
  const signal = around.interruption();
  try {
    if (isWatching) return await runWatching(session, files, options, writers, { signal, say: around.error });
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
    "Each file is loaded into its own project, tested, and removed. The credential is that of --context, IKG_SERVICE_ACCOUNT_TOKEN, that of environment.json, IKG_TOKEN with IKG_URL, or that of the current context.",
  ],
  examples: [
    { does: "Every test file of a folder and below", command: "ikg test examples/airfield" },
    {
      does: "Reports for people and for CI, with coverage",
      command: "ikg test examples/airfield --reporter readable --reporter junit=report.xml --coverage",
    },
  ],
  exitCodes: { 0: "passed", 1: "a test failed, or too little is covered" },
  configure: (command) =>
    void command
      .argument(
        "[paths...]",
        "test files (NAME.ikg.yaml, NAME.ikg.json) and folders of them; default: this folder",
      )
      .option(
        "--environment <file>",
        "environment.json of a suite (or IKG_ENVIRONMENT; default .ikg/environment.json)",
      )
      .option(
        "--reporter <name[=file]>",
        `${Object.keys(reporters).join(", ")}; may be given several times (default: readable)`,
        collectTexts,
        [],
      )
      .option("--coverage", "says what of policies and queries no test has shown")
      .option("--coverage-threshold <percent>", "fails below this coverage", wholeNumber(0, 100))
      .option("--watch", "runs again what a change concerns, until Ctrl-C")
      .option("--jobs <number>", "files at a time", wholeNumber(1, 64), 4)
      .option(
        "--resolver-host <address>",
        "address of this machine at which the suite calls external data resolvers",
        "127.0.0.1",
      ),
  run: ({ args: [paths], options, around }) => run(paths, options, around),
};
