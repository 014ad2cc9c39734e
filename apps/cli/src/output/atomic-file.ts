import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { CommandFault } from "../surroundings.ts";

/**
 * Writes texts to a file, compressed where its name ends with `.gz`. The file appears, or replaces the one that was there, when
 * all of it is written. Only its owner may read it.
 *
 * @throws CommandFault where it cannot be written; what `texts` throws.
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
