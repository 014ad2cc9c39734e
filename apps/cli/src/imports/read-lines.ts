import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { CommandFault, type CommandEnvironment } from "../command-environment.ts";
import { fileBytes } from "../tables/file-bytes.ts";

/** @throws CommandFault for a missing file, before anything is sent */
const checkFiles = async (files: readonly string[], cwd: string): Promise<void> => {
  for (const file of files) {
    const about = await stat(resolve(cwd, file)).catch(() => undefined);
    if (about?.isFile() !== true) throw new CommandFault(`${file} is not a file`);
  }
};

const lineFeed = 10;

/** The lines of all files in order, as bytes; `.gz` files are decompressed. */
export const readLines = async (
  files: readonly string[],
  { cwd }: CommandEnvironment,
): Promise<AsyncGenerator<Uint8Array, void, undefined>> => {
  await checkFiles(files, cwd);
  return (async function* lines() {
    for (const file of files) {
      let last = lineFeed;
      for await (const chunk of fileBytes({ name: file, path: resolve(cwd, file) })) {
        last = chunk.at(-1) ?? last;
        yield chunk;
      }
      // The last line of a file may lack a line feed.
      if (last !== lineFeed) yield Uint8Array.of(lineFeed);
    }
  })();
};
