import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { CommandFault } from "../command-environment.ts";

/**
 * Writes texts to a file atomically, compressed if its name ends with `.gz`. Only the owner can read the file.
 *
 * @throws CommandFault if it cannot be written, and errors of `texts`.
 */
export const writeAtomically = async (path: string, texts: AsyncIterable<string>): Promise<void> => {
  const partial = `${path}.partial-${process.pid}`;
  const source = Readable.from(texts, { objectMode: false });
  try {
    const target = createWriteStream(partial, { mode: 0o600 });
    await (path.endsWith(".gz") ? pipeline(source, createGzip(), target) : pipeline(source, target));
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    if (error instanceof Error && "code" in error && "path" in error)
      throw new CommandFault(`${path} cannot be written: ${error.message}`);
    throw error;
  }
};
