import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import {
  type ExportFile,
  exportFiles,
  type ExportText,
  linesOf,
  type ChainVerification,
  verifyExport,
} from "@ikg/audit";
import { showProgress } from "../../progress.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { CommandFault } from "../../surroundings.ts";
import { linesFrom, sourceOf, type SourceOptions } from "./source.ts";

interface Options extends SourceOptions {
  readonly partial?: true;
  readonly json?: true;
}

interface Exported {
  readonly text: ExportText;
  /** Bytes of all files; undefined when it is not known in advance. */
  readonly size: number | undefined;
}

const fromFolder = async (folder: string): Promise<Exported> => {
  const files = Object.values(exportFiles).map((name) => join(folder, name));
  const sizes = await Promise.all(
    files.map(async (file) => {
      try {
        return (await stat(file)).size;
      } catch {
        throw new CommandFault(
          `${file} is not there; an export has ${Object.values(exportFiles).join(", ")}`,
        );
      }
    }),
  );
  return {
    text: (file: ExportFile) =>
      linesOf(createReadStream(join(folder, exportFiles[file]), { highWaterMark: 1 << 20 })),
    size: sizes.reduce((sum, size) => sum + size, 0),
  };
};

const mostShown = 20;

const describe = ({
  project,
  first,
  last,
  batches,
  events,
  checkpoints,
  failed,
}: ChainVerification): string => {
  const what = `${events} records in ${batches} batches (${first} to ${last}), ${checkpoints} checkpoints`;
  if (failed.length === 0)
    return project === undefined ? "The chain is empty.\n" : `Verified: ${what} of ${project}.\n`;
  const rest = failed.length > mostShown ? `  and ${failed.length - mostShown} more\n` : "";
  const lines = failed.slice(0, mostShown).map(({ record, reason }) => `  ${record}: ${reason}\n`);
  return `NOT VERIFIED: ${failed.length} checks have failed; looked at ${what}.\n${lines.join("")}${rest}`;
};

/** `ikg audit verify`: the procedure of docs/audit.md, offline on an export or against the service. */
export const command: CommandModule<[string | undefined], Options> = {
  description: [
    "A chain that was exported into a folder, offline; or as the service shows it (--url, --project). Credentials as for `ikg audit export`.",
  ],
  examples: [
    { does: "An export, without asking any service", command: "ikg audit verify export" },
    { does: "The chain as the service shows it", command: "ikg audit verify --project $IKG_PROJECT" },
  ],
  exitCodes: { 0: "verified", 1: "a check has failed" },
  configure: (command) =>
    void command
      .argument("[folder]", "folder of an export; no service is called")
      .option("--partial", "the export is a part of a chain: records that are missing around it are no fault")
      .option("--json", "prints the result as JSON"),
  run: async ({ args: [folder], options, around }) => {
    const { text, size }: Exported =
      folder === undefined
        ? { text: linesFrom(await sourceOf(options, around)), size: undefined }
        : await fromFolder(folder);
    const progress = showProgress(around, "verified:", size);
    const verified = await verifyExport(text, {
      partial: options.partial === true,
      onProgress: (bytes) => progress.add(size === undefined ? 1 : bytes),
    });
    progress.end();
    const ok = verified.failed.length === 0;
    const asJson = options.json === true || options.output === "json";
    around.out(asJson ? `${JSON.stringify({ ok, ...verified })}\n` : describe(verified));
    return ok ? 0 : 1;
  },
};
