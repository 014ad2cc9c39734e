import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { type ExportFile, exportFiles } from "@ikg/audit";
import { showProgress } from "../../progress.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { CommandFault } from "../../surroundings.ts";
import { linesFrom, type Source, sourceOf, type SourceOptions } from "./source.ts";

interface Options extends SourceOptions {
  readonly out: string;
  readonly json?: true;
}

/** @returns the number of lines of each file. */
const exportTo = async (
  folder: string,
  source: Source,
  onLine: () => void,
): Promise<Record<ExportFile, number>> => {
  await mkdir(folder, { recursive: true });
  const lines = linesFrom(source);
  const counts = { keys: 0, manifests: 0, batches: 0, checkpoints: 0 };
  for (const file of Object.keys(exportFiles) as ExportFile[]) {
    // An existing export may be evidence, so it is never overwritten.
    const stream = createWriteStream(join(folder, exportFiles[file]), { flags: "wx" });
    const ended = finished(stream);
    ended.catch(() => undefined);
    for await (const line of lines(file)) {
      counts[file] += 1;
      onLine();
      if (!stream.write(`${line}\n`)) await Promise.race([once(stream, "drain"), ended]);
    }
    stream.end();
    await ended;
  }
  return counts;
};

/** `ikg audit export`: writes everything that a verification needs, including keys. */
export const command: CommandModule<[], Options> = {
  description: [
    "Exports batches, manifests, checkpoints and keys: everything that `ikg audit verify` needs for an offline verification (docs/audit.md). The credential is read from IKG_CLIENT_KEY (permission Audit) or IKG_SERVICE_ACCOUNT_TOKEN.",
  ],
  examples: [
    {
      does: "Export the chain of a project to a new folder",
      command: "ikg audit export --project $IKG_PROJECT --out export",
    },
  ],
  configure: (command) =>
    void command
      .requiredOption("--out <folder>", "target folder; existing files are not overwritten")
      .option("--json", "print the result as JSON"),
  run: async ({ options, around }) => {
    const source = await sourceOf(options, around);
    const progress = showProgress(around, "exported lines:", undefined);
    const counts = await exportTo(options.out, source, () => progress.add(1)).catch((error: unknown) => {
      if (error instanceof Error && "code" in error)
        throw new CommandFault(`${options.out} cannot be written: ${error.message}`);
      throw error;
    });
    progress.end();
    const { manifests, batches, checkpoints } = counts;
    around.out(
      options.json === true || options.output === "json"
        ? `${JSON.stringify({ project: source.project, folder: options.out, manifests, batches, checkpoints })}\n`
        : `${manifests} manifests, ${batches} batches and ${checkpoints} checkpoints written to ${options.out}.\n`,
    );
  },
};
