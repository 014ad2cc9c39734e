import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  DryRunReading,
  type ImportPlan,
  inferMapping,
  type Mapping,
  MappingFileFault,
  MappingRequired,
  planImport,
  readMapping,
  type TableFormat,
  tableFormats,
} from "@ikg/imports";
import { Option } from "commander";
import { diagnosticText } from "../checks/diagnostic-text.ts";
import { dryRunText } from "../imports/dry-run-text.ts";
import { ImportProgress } from "../imports/import-progress.ts";
import { maxShown } from "../imports/report-rejected.ts";
import { type SendOptions, sendFiles } from "../imports/send-files.ts";
import { wholeNumber } from "../input/whole-number.ts";
import type { CommandModule, Invocation } from "../program/command-module.ts";
import { stateFolder } from "../state-files.ts";
import { CommandFault, type ExitCode } from "../command-environment.ts";
import { bytesOf, openSourceFiles, type SourceFiles } from "../tables/source-files.ts";

interface Options extends SendOptions {
  readonly map?: string;
  readonly format?: TableFormat;
  readonly infer?: true;
  readonly dryRun?: true;
  readonly rows: number;
}

type Call = Invocation<[files: readonly string[]], Options>;

const dryRun = async (
  plan: ImportPlan,
  sources: SourceFiles,
  { options, environment, print }: Call,
): Promise<ExitCode> => {
  const progress = new ImportProgress(environment, await bytesOf(sources));
  const reading = new DryRunReading({ rows: options.rows, faults: maxShown });
  const result = await reading.read(plan, (count) => progress.read(count));
  progress.end();
  await print.text(dryRunText(result, print.style, print.width), result);
  return result.rejected === 0 ? 0 : 1;
};

/** @throws MappingFileFault for an invalid mapping, CommandFault for a file that cannot be read. */
const readMappingFile = async (file: string, cwd: string): Promise<Mapping> => {
  const text = await readFile(resolve(cwd, file), "utf8").catch((error: unknown) => {
    throw new CommandFault(`${file} cannot be read: ${(error as Error).message}`);
  });
  return readMapping(file, text);
};

const plannedImport = async ({ files }: SourceFiles, mapping: Mapping | undefined): Promise<ImportPlan> => {
  try {
    return await planImport(files, mapping);
  } catch (error) {
    if (!(error instanceof MappingRequired)) throw error;
    throw new CommandFault(`${error.message}: use --map FILE; --infer drafts one from the data`);
  }
};

const importFiles = async (sources: SourceFiles, call: Call): Promise<ExitCode> => {
  const { options, environment } = call;
  if (options.infer === true) {
    const text = await inferMapping(sources.files);
    await call.print.text(text, { mapping: text });
    return 0;
  }
  const mapping = options.map === undefined ? undefined : await readMappingFile(options.map, environment.cwd);
  const plan = await plannedImport(sources, mapping);
  if (options.dryRun === true) return dryRun(plan, sources, call);
  if (!sources.haveInput)
    return sendFiles({ plan, sources, mapping, folder: stateFolder(environment, "imports") }, call);
  const folder = await mkdtemp(join(tmpdir(), "ikg-import-"));
  try {
    return await sendFiles({ plan, sources, mapping, folder }, call);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const showMappingFaults = async (error: unknown, { environment, print }: Call): Promise<ExitCode> => {
  if (!(error instanceof MappingFileFault)) throw error;
  for (const fault of error.faults)
    environment.error(await diagnosticText(fault, environment.cwd, print.style));
  environment.error(
    `error: ${error.faults.length} ${error.faults.length === 1 ? "error" : "errors"} in the mapping\n`,
  );
  return 2;
};

/** `ikg import`: rows of files become nodes and relationships. */
export const command: CommandModule<[files: readonly string[]], Options> = {
  description: [
    "A mapping (--map) defines which columns become nodes, properties and relationships; its format is described in docs/import-mapping.md, and --infer drafts one from the data. NDJSON files without a section in the mapping must contain lines of an import (docs/imports.md). Gzip data is decompressed; - reads standard input.",
    "Rows are sent as several import jobs, all nodes first. After an interruption the same command continues with the interrupted job; sending a job twice results in the same graph. A line that cannot be written does not fail the import: the first rejected lines are shown, and --rejected writes all of them to a file, with rows and reasons.",
  ],
  examples: [
    {
      purpose: "Draft a mapping from the data, for review",
      command: "ikg import examples/import/pilots.csv examples/import/ratings.csv --infer > map.yaml",
    },
    {
      purpose: "Show what would be written",
      command: "ikg import examples/import/*.csv --map examples/import/map.yaml --dry-run",
    },
    {
      purpose: "Import tables of a database",
      command: "ikg import examples/import/*.csv --map examples/import/map.yaml --rejected rejected.ndjson",
    },
    {
      purpose: "Import the output of another program",
      command: "node examples/airfield/many-pilots.mjs 100 | ikg import - --format ndjson",
    },
  ],
  exitCodes: {
    0: "every line was written, or --dry-run found no errors",
    1: "lines were rejected, or would be rejected",
  },
  configure: (command) =>
    void command
      .argument("<files...>", "CSV, TSV, NDJSON or Parquet, also compressed (.gz); - for standard input")
      .option("--map <file>", "mapping file (YAML)")
      .addOption(
        new Option("--format <format>", "format of the files, regardless of their extensions").choices(
          tableFormats,
        ),
      )
      .option("--infer", "print a mapping inferred from the files; nothing is sent")
      .option("--dry-run", "show what would be written; nothing is sent")
      .option("--rows <number>", "number of rows that --dry-run shows", wholeNumber(0, 10_000), 5)
      .option("--rejected <file>", "write rejected lines to this file (NDJSON): row, text and reasons")
      .option("--restart", "start over instead of continuing an interrupted import")
      .option("--job-lines <number>", "maximum lines per import job", wholeNumber(1, 10_000_000), 100_000),
  run: async (call) => {
    const { args, options, environment } = call;
    environment.limitMemory();
    const sources = await openSourceFiles(args[0], options.format, environment);
    try {
      return await importFiles(sources, call);
    } catch (error) {
      return await showMappingFaults(error, call);
    } finally {
      await sources.close();
    }
  },
};
