import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import {
  type ExportFile,
  exportFiles,
  type ExportText,
  linesOf,
  type Verified,
  verifyExport,
} from "@ikg/audit";
import type { Command } from "commander";
import { showProgress } from "../progress.ts";
import { CommandFault, type ExitCode, type Surroundings } from "../surroundings.ts";
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

const describe = ({ project, first, last, batches, events, checkpoints, failed }: Verified): string => {
  const what = `${events} records in ${batches} batches (${first} to ${last}), ${checkpoints} checkpoints`;
  if (failed.length === 0)
    return project === undefined ? "The chain is empty.\n" : `Verified: ${what} of ${project}.\n`;
  const rest = failed.length > mostShown ? `  and ${failed.length - mostShown} more\n` : "";
  const lines = failed.slice(0, mostShown).map(({ record, reason }) => `  ${record}: ${reason}\n`);
  return `NOT VERIFIED: ${failed.length} checks have failed; looked at ${what}.\n${lines.join("")}${rest}`;
};

/** `ikg audit verify`: the procedure of docs/audit.md, offline on an export or against the service. */
export const auditVerify = (audit: Command, around: Surroundings, ended: (code: ExitCode) => void): Command =>
  audit
    .command("verify")
    .description("Verifies a chain: exported into a folder, or as the service shows it (--url, --project).")
    .argument("[folder]", "folder of an export; no service is called")
    .option("--partial", "the export is a part of a chain: records that are missing around it are no fault")
    .option("--url <address>", "address of the gateway (or IKG_URL)")
    .option("--project <gid>", "project, or organization, whose chain it is")
    .option("--json", "prints the result as JSON")
    .addHelpText("after", "\nEnds with 0: verified; 1: a check has failed; 2: it could not be verified.")
    .action(async (folder: string | undefined, options: Options) => {
      const { text, size }: Exported =
        folder === undefined
          ? { text: linesFrom(sourceOf(options, around)), size: undefined }
          : await fromFolder(folder);
      const progress = showProgress(around, "verified:", size);
      const verified = await verifyExport(text, {
        partial: options.partial === true,
        onProgress: (bytes) => progress.add(size === undefined ? 1 : bytes),
      });
      progress.end();
      const ok = verified.failed.length === 0;
      around.out(options.json === true ? `${JSON.stringify({ ok, ...verified })}\n` : describe(verified));
      ended(ok ? 0 : 1);
    });
