import {
  type ImportPlan,
  ImportRun,
  type ImportState,
  type ImportTotals,
  isInterruption,
  jobCharacters,
  type Mapping,
  newState,
} from "@ikg/imports";
import { clientKeyOf, openApplication } from "../connection/clients.ts";
import { connectionOf } from "../connection/connection.ts";
import type { Invocation } from "../program/command-module.ts";
import { CommandFault, type ExitCode } from "../command-environment.ts";
import { bytesOf, type SourceFiles } from "../tables/source-files.ts";
import { ImportProgress } from "./import-progress.ts";
import { reportRejected } from "./report-rejected.ts";
import { fingerprintOf, type ImportIdentity, StateFile, stateName } from "./state-file.ts";

export interface SendOptions {
  readonly rejected?: string;
  readonly restart?: true;
  readonly jobLines: number;
}

/** The files to send, and the folder of the state. */
export interface Sending {
  readonly plan: ImportPlan;
  readonly sources: SourceFiles;
  readonly mapping: Mapping | undefined;
  readonly folder: string;
}

type Call = Pick<Invocation<readonly unknown[], SendOptions>, "options" | "environment" | "print">;

const writtenText = ({ nodes, relationships }: ImportTotals): string =>
  `${nodes} nodes and ${relationships} relationships written`;

/** The state of an interrupted run, unless something has changed since; otherwise a new state. */
const stateFor = (file: StateFile, identity: ImportIdentity, { options, environment }: Call): ImportState => {
  const fingerprint = fingerprintOf(identity);
  const kept = options.restart === true ? undefined : file.read();
  if (kept?.fingerprint === fingerprint) {
    environment.error(`warning: continuing an interrupted import: ${writtenText(kept.totals)}\n`);
    return kept;
  }
  if (kept !== undefined)
    environment.error("warning: the files, the mapping or the project have changed; starting over\n");
  file.remove();
  return newState(fingerprint);
};

const identityOf = ({ sources, mapping }: Sending, { options, environment }: Call): ImportIdentity => {
  const connection = connectionOf(options, environment);
  return {
    url: connection.url,
    clientKey: clientKeyOf(connection),
    files: sources.files,
    mapping: mapping?.text,
    jobLines: options.jobLines,
  };
};

/** Sends all rows. The error of an interruption says what the same command does next. */
const runAll = async (
  run: ImportRun,
  { haveInput }: SourceFiles,
  signal: AbortSignal,
): Promise<ImportTotals> => {
  try {
    return await run.run();
  } catch (error) {
    if (!isInterruption(error, signal)) throw error;
    const next = haveInput ? "run the same command to start over" : "run the same command to continue";
    throw new CommandFault(`interrupted: ${writtenText(run.totals)}; ${next}`);
  }
};

/** Sends the rows of files to the project, and reports the result. */
export const sendFiles = async (sending: Sending, call: Call): Promise<ExitCode> => {
  const { plan, sources, folder } = sending;
  const { options, environment, print } = call;
  const identity = identityOf(sending, call);
  const file = new StateFile(folder, stateName(identity));
  const state = stateFor(file, identity, call);
  const ikg = await openApplication(call);
  const progress = new ImportProgress(environment, plan.passes.length * (await bytesOf(sources)));
  const signal = environment.interruption();
  const limits = { lines: options.jobLines, characters: jobCharacters };
  const run = new ImportRun({ ikg, plan, state, store: file, limits, signal, progress });
  const totals = await runAll(run, sources, signal).finally(() => progress.end());
  await reportRejected(file.rejectedPath, totals, options.rejected, environment);
  file.remove();
  const { rows, nodes, relationships, rejected, notKept } = totals;
  await print.text(
    `done: ${rows} rows; ${nodes} nodes and ${relationships} relationships written, ${rejected} ${rejected === 1 ? "line" : "lines"} rejected.\n`,
    { rows, nodes, relationships, rejected: { count: rejected, not_kept: notKept } },
  );
  return rejected === 0 ? 0 : 1;
};
