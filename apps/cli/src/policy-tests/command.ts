import { type Command, InvalidArgumentError } from "commander";
import { CommandFault, type ExitCode, type Surroundings } from "../surroundings.ts";
import { coverageOf } from "./coverage/coverage.ts";
import { findTestFiles } from "./find-files.ts";
import { exitCodeOf, type Report } from "./report/report.ts";
import { reporters, type WriteReport, writerOf } from "./report/reporters.ts";
import { keptPlaces } from "./run/kept-places.ts";
import type { FileResult } from "./run/result.ts";
import { freshPlaces } from "./run/run-file.ts";
import { openSession, type Session } from "./run/session.ts";
import { addressOf, type AddressOptions } from "./suite/address.ts";
import { concerns, openWatcher } from "./watch.ts";

interface Options extends AddressOptions {
  readonly reporter: readonly string[];
  readonly coverage?: true;
  readonly coverageThreshold?: number;
  readonly watch?: true;
  readonly jobs: number;
  readonly resolverHost: string;
}

const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() === "" || !Number.isInteger(value) || value < least || value > most)
      throw new InvalidArgumentError(`a whole number from ${least} to ${most} expected.`);
    return value;
  };

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

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
export const policyTest = (parent: Command, around: Surroundings, ended: (code: ExitCode) => void): Command =>
  parent
    .command("test")
    .description("Runs policy tests: each file is loaded into its own project, tested, and removed.")
    .argument(
      "[paths...]",
      "test files (NAME.ikg.yaml, NAME.ikg.json) and folders of them; default: this folder",
    )
    .option("--url <address>", "address of the gateway (or IKG_URL)")
    .option(
      "--environment <file>",
      "environment.json of a suite (or IKG_ENVIRONMENT; default .ikg/environment.json)",
    )
    .option(
      "--reporter <name[=file]>",
      `${Object.keys(reporters).join(", ")}; may be given several times`,
      collect,
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
    )
    .addHelpText(
      "after",
      "\nThe credential is IKG_SERVICE_ACCOUNT_TOKEN, or that of environment.json.\nEnds with 0: passed; 1: a test failed, or too little is covered; 2: something could not be run.",
    )
    .action(async (paths: readonly string[], options: Options) => ended(await run(paths, options, around)));
