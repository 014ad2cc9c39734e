import { mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { CommandFault, type CommandEnvironment } from "../../command-environment.ts";
import { github } from "./github.ts";
import { json } from "./json.ts";
import { junit } from "./junit.ts";
import { readable } from "./readable.ts";
import type { Report, Reporter } from "./report.ts";
import { tap } from "./tap.ts";

export const reporters = { readable, junit, tap, json, github } satisfies Readonly<Record<string, Reporter>>;

/** Writes a report to the file of each option. */
export type WriteReport = (report: Report) => Promise<void>;

/**
 * Parses `NAME` or `NAME=FILE`. Without a file, the report is written to standard output.
 *
 * @throws CommandFault for an unknown reporter.
 */
export const writerOf = (option: string, { cwd, out }: CommandEnvironment): WriteReport => {
  const [name = "", ...rest] = option.split("=");
  const file = rest.join("=");
  if (!Object.hasOwn(reporters, name))
    throw new CommandFault(`unknown reporter ${name}; known: ${Object.keys(reporters).join(", ")}`);
  const reporter = reporters[name as keyof typeof reporters];
  return async (report) => {
    const text = reporter(report);
    if (file === "") return out(text);
    const path = resolve(cwd, file);
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    } catch (error) {
      throw new CommandFault(
        `${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  };
};
