import { once } from "node:events";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { PassThrough, Readable, type Writable } from "node:stream";
import { createGunzip, createGzip } from "node:zlib";
import { frameBytes, frameOpener, frameSealer, newHeader, parseHeader } from "./frames.ts";
import { keyOf, newKeySource } from "./sealing-key.ts";
import type { BackupSettings } from "./settings.ts";

/** Lines of an archive that is being written. */
export interface ArchiveWriter {
  readonly write: (line: object) => Promise<void>;
  /** Ends the archive; without it, it is cut off. */
  readonly end: () => Promise<void>;
}

const put = async (out: Writable, bytes: Buffer): Promise<void> => {
  // A stream that has failed never drains.
  if (out.errored !== null) throw out.errored;
  if (!out.write(bytes)) await once(out, "drain");
};

/** Seals what comes in frames, the last of which is known when everything has come. */
const sealInto = async (
  out: Writable,
  source: Readable,
  seal: ReturnType<typeof frameSealer>,
): Promise<void> => {
  let held = Buffer.alloc(0);
  for await (const chunk of source as AsyncIterable<Buffer>) {
    held = Buffer.concat([held, chunk]);
    for (; held.length > frameBytes; held = held.subarray(frameBytes))
      await put(out, seal(held.subarray(0, frameBytes), false));
  }
  await put(out, seal(held, true));
};

/** Begins an archive: compressed, sealed, streamed. */
export const writeArchive = async (
  out: Writable,
  settings: BackupSettings,
  now: Date,
): Promise<ArchiveWriter> => {
  const header = newHeader(newKeySource(settings), now);
  const key = await keyOf(settings, header.key);
  await put(out, Buffer.from(`${JSON.stringify(header)}\n`));
  const gzip = createGzip({ level: 1 });
  const sealed = sealInto(out, gzip, frameSealer(key, header));
  // Reported by `end`, and by a write that would wait for ever.
  let failure: unknown;
  sealed.catch((error: unknown) => (failure = error));
  return {
    write: async (line) => {
      if (failure !== undefined) throw failure;
      if (!gzip.write(`${JSON.stringify(line)}\n`)) await Promise.race([once(gzip, "drain"), sealed]);
    },
    end: async () => {
      gzip.end();
      await sealed;
    },
  };
};

/** The frames of a file, opened. */
async function* openedFrames(file: string, settings: BackupSettings): AsyncGenerator<Buffer> {
  let held = Buffer.alloc(0);
  let open: ReturnType<typeof frameOpener> | undefined;
  let before: Buffer | undefined;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    held = Buffer.concat([held, chunk]);
    if (open === undefined) {
      const end = held.indexOf("\n");
      if (end < 0 && held.length < 4_096) continue;
      const line = held.subarray(0, Math.max(0, end)).toString("utf8");
      open = frameOpener(await keyOf(settings, parseHeader(line).key), line);
      held = held.subarray(end + 1);
    }
    for (;;) {
      const length = held.length < 4 ? Infinity : held.readUInt32BE(0);
      if (held.length < 4 + length) break;
      // Whether a frame is the last one is known when another one comes.
      if (before !== undefined) yield open(before, false);
      before = Buffer.from(held.subarray(4, 4 + length));
      held = held.subarray(4 + length);
    }
  }
  if (open === undefined) throw new Error("this file is not a backup");
  if (before === undefined || held.length > 0) throw new Error("the backup is cut off");
  yield open(before, true);
}

/**
 * The lines of an archive.
 *
 * @throws Error when it does not open, was changed or is cut off.
 */
export async function* readArchive(file: string, settings: BackupSettings): AsyncGenerator<object> {
  const plain = new PassThrough();
  const text = Readable.from(openedFrames(file, settings)).on("error", (error) => plain.destroy(error));
  const gunzip = createGunzip().on("error", (error) => plain.destroy(error));
  text.pipe(gunzip).pipe(plain);
  const lines = createInterface({ input: plain, crlfDelay: Infinity });
  const failed = new Promise<never>((_resolve, reject) => plain.once("error", reject));
  failed.catch(() => undefined);
  const iterator = lines[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([iterator.next(), failed]);
    if (next.done === true) break;
    yield JSON.parse(next.value) as object; // written by this suite, or no frame had opened
  }
  if (plain.errored !== null) throw plain.errored;
}
