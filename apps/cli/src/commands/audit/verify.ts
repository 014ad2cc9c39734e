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
import { CommandFault } from "../../command-environment.ts";
import { linesFrom, sourceOf } from "./source.ts";

interface Options {
  readonly partial?: true;
  readonly json?: true;
}

interface Exported {
  readonly text: ExportText;
  /** Size of all files in bytes; undefined if unknown in advance. */
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
          `${file} does not exist; an export consists of ${Object.values(exportFiles).join(", ")}`,
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

const maxShown = 20;

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
  const rest = failed.length > maxShown ? `  and ${failed.length - maxShown} more\n` : "";
  const lines = failed.slice(0, maxShown).map(({ record, reason }) => `  ${record}: ${reason}\n`);
  return `NOT VERIFIED: ${failed.length} checks failed; checked ${what}.\n${lines.join("")}${rest}`;
};

/** `ikg audit verify`: the procedure of docs/audit.md, offline on an export or against the service. */
export const command: CommandModule<[string | undefined], Options> = {
  description: [
    "Verifies a chain offline in a folder of `ikg audit export`, or as returned by the service (--url, --project). Credentials are the same as for `ikg audit export`.",
  ],
  examples: [
    { purpose: "Verify an export offline", command: "ikg audit verify export" },
    { purpose: "Verify the chain of the service", command: "ikg audit verify --project $IKG_PROJECT" },
  ],
  exitCodes: { 0: "verified", 1: "a check failed" },
  configure: (command) =>
    void command
      .argument("[folder]", "folder of an export; verified offline")
      .option(
        "--partial",
        "the export is a part of a chain: do not report missing records before and after it",
      )
      .option("--json", "print the result as JSON"),
  run: async ({ args: [folder], options, environment }) => {
    const { text, size }: Exported =
      folder === undefined
        ? { text: linesFrom(await sourceOf({ options, environment })), size: undefined }
        : await fromFolder(folder);
    const progress = showProgress(environment, "verified:", size);
    const verified = await verifyExport(text, {
      partial: options.partial === true,
      onProgress: (bytes) => progress.add(size === undefined ? 1 : bytes),
    });
    progress.end();
    const ok = verified.failed.length === 0;
    const asJson = options.json === true || options.output === "json";
    environment.out(asJson ? `${JSON.stringify({ ok, ...verified })}\n` : describe(verified));
    return ok ? 0 : 1;
  },
};
