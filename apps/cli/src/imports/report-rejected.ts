import { copyFile, open, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type ImportTotals, type RejectedLine, rejectedText } from "@ikg/imports";
import { CommandFault, type Surroundings } from "../surroundings.ts";

/** Rejected lines that people see at most. */
export const mostShown = 10;

const firstLines = async (path: string): Promise<readonly RejectedLine[]> => {
  const file = await open(path);
  const found: RejectedLine[] = [];
  // As it was written by this command.
  for await (const line of file.readLines())
    if (found.push(JSON.parse(line) as RejectedLine) === mostShown) break;
  return found;
};

const writeTo = async (
  name: string,
  { cwd }: Surroundings,
  write: (path: string) => Promise<void>,
): Promise<void> => {
  try {
    await write(resolve(cwd, name));
  } catch (error) {
    throw new CommandFault(`${name} cannot be written: ${(error as Error).message}`);
  }
};

/**
 * Passes on the rejected lines of an import: to a file, which has none if there were none, or the first ones to people.
 *
 * @param gathered where they were written.
 */
export const reportRejected = async (
  gathered: string,
  { rejected, notKept }: ImportTotals,
  name: string | undefined,
  around: Surroundings,
): Promise<void> => {
  const count = rejected - notKept;
  if (name !== undefined)
    await writeTo(name, around, (path) => (count > 0 ? copyFile(gathered, path) : writeFile(path, "")));
  else if (count > 0) {
    const shown = await firstLines(gathered);
    for (const each of shown) around.error(`warning: ${rejectedText(each)}\n`);
    if (count > shown.length)
      around.error(`warning: ${count - shown.length} more; --rejected FILE has them\n`);
  }
  if (notKept > 0)
    around.error(`warning: of ${notKept} rejected lines the suite does not say which they are\n`);
};
