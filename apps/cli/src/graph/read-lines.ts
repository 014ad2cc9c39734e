import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { createGunzip } from "node:zlib";
import { CommandFault, type Surroundings } from "../surroundings.ts";

const isCompressed = (file: string): boolean => file.endsWith(".gz");

/** @throws CommandFault for a file that is not there, before anything is sent */
const checkFiles = async (files: readonly string[], cwd: string): Promise<void> => {
  for (const file of files) {
    const about = await stat(resolve(cwd, file)).catch(() => undefined);
    if (about?.isFile() !== true) throw new CommandFault(`${file} is no file`);
  }
};

const bytesOf = async function* (file: string, cwd: string): AsyncGenerator<Uint8Array, void, undefined> {
  const read = createReadStream(resolve(cwd, file));
  const stream = isCompressed(file) ? read.pipe(createGunzip()) : read;
  // An error of the file is one of what is read from it.
  read.on("error", (error) => stream.destroy(error));
  try {
    for await (const chunk of stream) yield chunk as Uint8Array; // without an encoding a stream has bytes
  } catch (error) {
    throw new CommandFault(`${file} cannot be read: ${(error as Error).message}`);
  }
};

const lineFeed = 10;

/** The lines of files, one file after the other, as bytes; those of `.gz` decompressed. */
export const readLines = async (
  files: readonly string[],
  { cwd }: Surroundings,
): Promise<AsyncGenerator<Uint8Array, void, undefined>> => {
  await checkFiles(files, cwd);
  return (async function* lines() {
    for (const file of files) {
      let last = lineFeed;
      for await (const chunk of bytesOf(file, cwd)) {
        last = chunk.at(-1) ?? last;
        yield chunk;
      }
      // The last line of a file may have no end.
      if (last !== lineFeed) yield Uint8Array.of(lineFeed);
    }
  })();
};
