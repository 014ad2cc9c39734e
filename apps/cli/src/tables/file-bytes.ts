import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import { InputFault } from "@ikg/imports";

/** A file with its name in messages. */
export interface NamedFile {
  readonly name: string;
  readonly path: string;
}

const gzipMagic = [0x1f, 0x8b] as const;
const chunkBytes = 16 * 1024;

/** Whether a file contains gzip data, regardless of its extension. */
export const isGzip = async ({ path }: NamedFile): Promise<boolean> => {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return buffer[0] === gzipMagic[0] && buffer[1] === gzipMagic[1];
  } finally {
    await file.close();
  }
};

/**
 * The decompressed bytes of a file, with backpressure.
 *
 * @param onBytes is called with the number of stored bytes that were read.
 * @throws InputFault if it cannot be read.
 */
export const fileBytes = async function* (
  file: NamedFile,
  onBytes: (count: number) => void = () => undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    const isCompressed = await isGzip(file);
    const read = createReadStream(file.path, { highWaterMark: chunkBytes });
    const stream = isCompressed ? read.pipe(createGunzip({ chunkSize: chunkBytes })) : read;
    // Forwards errors of the file to the decompressed stream.
    read.on("error", (error) => stream.destroy(error));
    let before = 0;
    try {
      for await (const chunk of stream) {
        onBytes(read.bytesRead - before);
        before = read.bytesRead;
        yield chunk as Uint8Array; // a stream without an encoding yields bytes
      }
    } finally {
      read.destroy();
    }
  } catch (error) {
    throw new InputFault(`${file.name} cannot be read: ${(error as Error).message}`);
  }
};
