import { createReadStream } from "node:fs";
import { copyFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { linesOf } from "@ikg/audit";
import { type ImportTotals, type RejectedLine, rejectedText } from "@ikg/imports";
import { CommandFault, type CommandEnvironment } from "../command-environment.ts";

/** Maximum number of rejected lines shown on the terminal. */
export const maxShown = 10;

const firstLines = async (path: string): Promise<readonly RejectedLine[]> => {
  const input = createReadStream(path);
  const found: RejectedLine[] = [];
  try {
    // written by this command
    for await (const line of linesOf(input))
      if (found.push(JSON.parse(line) as RejectedLine) === maxShown) break;
  } finally {
    // The reader closes only what it reads to its end.
    input.destroy();
  }
  return found;
};

const writeTo = async (
  name: string,
  { cwd }: CommandEnvironment,
  write: (path: string) => Promise<void>,
): Promise<void> => {
  try {
    await write(resolve(cwd, name));
  } catch (error) {
    throw new CommandFault(`${name} cannot be written: ${(error as Error).message}`);
  }
};

/**
 * Reports the rejected lines of an import: all of them to a file, which may be empty, or the first ones on the terminal.
 *
 * @param gathered the file in which they were collected.
 */
export const reportRejected = async (
  gathered: string,
  { rejected, notKept }: ImportTotals,
  name: string | undefined,
  environment: CommandEnvironment,
): Promise<void> => {
  const count = rejected - notKept;
  if (name !== undefined)
    await writeTo(name, environment, (path) => (count > 0 ? copyFile(gathered, path) : writeFile(path, "")));
  else if (count > 0) {
    const shown = await firstLines(gathered);
    for (const each of shown) environment.error(`warning: ${rejectedText(each)}\n`);
    if (count > shown.length)
      environment.error(`warning: ${count - shown.length} more; use --rejected FILE for all\n`);
  }
  if (notKept > 0)
    environment.error(`warning: the suite did not keep the details of ${notKept} rejected lines\n`);
};
