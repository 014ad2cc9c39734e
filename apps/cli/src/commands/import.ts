import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  DryRunReading,
  type ImportPlan,
  inferMapping,
  type Mapping,
  MappingFileFault,
  MappingRequired,
  planImport,
  type TableFormat,
  tableFormats,
} from "@ikg/imports";
import { Option } from "commander";
import { faultText } from "../checks/fault-text.ts";
import { dryRunText } from "../imports/dry-run-text.ts";
import { ImportProgress } from "../imports/import-progress.ts";
import { mostShown } from "../imports/report-rejected.ts";
import { type SendOptions, sendFiles } from "../imports/send-files.ts";
import { wholeNumber } from "../input/whole-number.ts";
import { readMappingFile } from "../mapping/read-mapping-file.ts";
import type { CommandModule, Invocation } from "../program/command-module.ts";
import { stateFolder } from "../state-files.ts";
import { CommandFault, type ExitCode } from "../surroundings.ts";
import { bytesOf, openSourceFiles, type SourceFiles } from "../tables/source-files.ts";

interface Options extends SendOptions {
  readonly map?: string;
  readonly format?: TableFormat;
  readonly infer?: true;
  readonly dryRun?: true;
  readonly rows: number;
}

type Called = Invocation<[files: readonly string[]], Options>;

const dryRun = async (
  plan: ImportPlan,
  sources: SourceFiles,
  { options, around, print }: Called,
): Promise<ExitCode> => {
  const progress = new ImportProgress(around, await bytesOf(sources));
  const reading = new DryRunReading({ rows: options.rows, faults: mostShown });
  const result = await reading.read(plan, (count) => progress.read(count));
  progress.end();
  await print.text(dryRunText(result, print.style, print.width), result);
  return result.rejected === 0 ? 0 : 1;
};

const plannedImport = async ({ files }: SourceFiles, mapping: Mapping | undefined): Promise<ImportPlan> => {
  try {
    return await planImport(files, mapping);
  } catch (error) {
    if (!(error instanceof MappingRequired)) throw error;
    throw new CommandFault(`${error.message}: --map FILE; --infer writes one from the data`);
  }
};

const importFiles = async (sources: SourceFiles, called: Called): Promise<ExitCode> => {
  const { options, around } = called;
  if (options.infer === true) {
    const text = await inferMapping(sources.files);
    await called.print.text(text, { mapping: text });
    return 0;
  }
  const mapping = options.map === undefined ? undefined : await readMappingFile(options.map, around.cwd);
  const plan = await plannedImport(sources, mapping);
  if (options.dryRun === true) return dryRun(plan, sources, called);
  if (!sources.haveInput)
    return sendFiles({ plan, sources, mapping, folder: stateFolder(around, "imports") }, called);
  const folder = await mkdtemp(join(tmpdir(), "ikg-import-"));
  try {
    return await sendFiles({ plan, sources, mapping, folder }, called);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const showMappingFaults = async (error: unknown, { around, print }: Called): Promise<ExitCode> => {
  if (!(error instanceof MappingFileFault)) throw error;
  for (const fault of error.faults) around.error(await faultText(fault, around.cwd, print.style));
  around.error(
    `error: ${error.faults.length} ${error.faults.length === 1 ? "fault" : "faults"} in the mapping\n`,
  );
  return 2;
};

/** `ikg import`: rows of files become nodes and relationships. */
export const command: CommandModule<[files: readonly string[]], Options> = {
  description: [
    "A mapping (--map) says which columns become nodes, properties and relationships; docs/import-mapping.md describes it, and --infer writes one from the data. NDJSON without a section in the mapping holds lines of an import already (docs/imports.md). Gzip data is decompressed; - is standard input.",
    "Rows are sent as several import jobs, first those of all nodes. After an interruption the same command continues with the job that was under way; what is sent twice results in the same graph. A line that cannot be written does not fail the import: the first ones are shown, --rejected has all with their rows and reasons.",
  ],
  examples: [
    {
      does: "A mapping from the data, to be looked through",
      command: "ikg import examples/import/pilots.csv examples/import/ratings.csv --infer > map.yaml",
    },
    {
      does: "What would be captured?",
      command: "ikg import examples/import/*.csv --map examples/import/map.yaml --dry-run",
    },
    {
      does: "Tables of a database",
      command: "ikg import examples/import/*.csv --map examples/import/map.yaml --rejected rejected.ndjson",
    },
    {
      does: "From another program",
      command: "node examples/airfield/many-pilots.mjs 100 | ikg import - --format ndjson",
    },
  ],
  exitCodes: {
    0: "every line is written, or --dry-run finds nothing wrong",
    1: "lines were rejected, or would be",
  },
  configure: (command) =>
    void command
      .argument("<files...>", "CSV, TSV, NDJSON or Parquet, also compressed (.gz); - for standard input")
      .option("--map <file>", "mapping, YAML")
      .addOption(
        new Option("--format <format>", "form of the files, whatever they are called").choices(tableFormats),
      )
      .option("--infer", "prints a mapping of the files, and sends nothing")
      .option("--dry-run", "shows what would be captured, and sends nothing")
      .option("--rows <number>", "rows that --dry-run shows", wholeNumber(0, 10_000), 5)
      .option("--rejected <file>", "file for rejected lines: row, text and reasons, NDJSON")
      .option("--restart", "begins anew, whatever was interrupted")
      .option("--job-lines <number>", "lines of one import job", wholeNumber(1, 10_000_000), 100_000),
  run: async (called) => {
    const { args, options, around } = called;
    around.limitMemory();
    const sources = await openSourceFiles(args[0], options.format, around);
    try {
      return await importFiles(sources, called);
    } catch (error) {
      return await showMappingFaults(error, called);
    } finally {
      await sources.close();
    }
  },
};
