import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { type ExportFile, exportFiles } from "@ikg/audit";
import { showProgress } from "../../progress.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { CommandFault } from "../../command-environment.ts";
import { linesFrom, type Source, sourceOf } from "./source.ts";

interface Options {
  readonly out: string;
  readonly json?: true;
}

/** Writes lines to a new file. An existing export may be evidence, so it is never overwritten. */
const writeLines = async (path: string, lines: AsyncIterable<string>, onLine: () => void): Promise<void> => {
  const stream = createWriteStream(path, { flags: "wx" });
  const ended = finished(stream);
  ended.catch(() => undefined);
  await once(stream, "open");
  try {
    for await (const line of lines) {
      onLine();
      if (!stream.write(`${line}\n`)) await Promise.race([once(stream, "drain"), ended]);
    }
    stream.end();
    await ended;
  } catch (error) {
    stream.destroy();
    await rm(path, { force: true });
    throw error;
  }
};

/**
 * A file that cannot be written whole is removed.
 *
 * @returns the number of lines of each file.
 */
const exportTo = async (
  folder: string,
  source: Source,
  onLine: () => void,
): Promise<Record<ExportFile, number>> => {
  await mkdir(folder, { recursive: true });
  const lines = linesFrom(source);
  const counts = { keys: 0, manifests: 0, batches: 0, checkpoints: 0 };
  for (const file of Object.keys(exportFiles) as ExportFile[])
    await writeLines(join(folder, exportFiles[file]), lines(file), () => {
      counts[file] += 1;
      onLine();
    });
  return counts;
};

/** `ikg audit export`: writes everything that a verification needs, including keys. */
export const command: CommandModule<[], Options> = {
  description: [
    "Exports batches, manifests, checkpoints and keys: everything that `ikg audit verify` needs for an offline verification (docs/audit.md). The signed-in user or service account reads the chains of its organization, whose gid --project also takes; without them the key of an application agent (permission Audit) reads that of its project.",
  ],
  examples: [
    {
      purpose: "Export the chain of a project to a new folder",
      command: "ikg audit export --project $IKG_PROJECT --out export",
    },
  ],
  configure: (command) =>
    void command
      .requiredOption("--out <folder>", "target folder; existing files are not overwritten")
      .option("--json", "print the result as JSON"),
  run: async ({ options, environment }) => {
    const source = await sourceOf({ options, environment });
    const progress = showProgress(environment, "exported lines:", undefined);
    const counts = await exportTo(options.out, source, () => progress.add(1)).catch((error: unknown) => {
      if (error instanceof Error && "syscall" in error)
        throw new CommandFault(`${options.out} cannot be written: ${error.message}`);
      throw error;
    });
    progress.end();
    const { manifests, batches, checkpoints } = counts;
    environment.out(
      options.json === true || options.output === "json"
        ? `${JSON.stringify({ project: source.project, folder: options.out, manifests, batches, checkpoints })}\n`
        : `${manifests} manifests, ${batches} batches and ${checkpoints} checkpoints written to ${options.out}.\n`,
    );
  },
};
