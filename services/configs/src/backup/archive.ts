import { once } from "node:events";
import { createReadStream } from "node:fs";
import { pipeline, Readable, type Writable } from "node:stream";
import { createGunzip, createGzip } from "node:zlib";
import { linesOf } from "@ikg/audit";
import { frameBytes, frameOpener, frameSealer, newHeader, parseHeader, sealedFrameBytes } from "./frames.ts";
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

/** Divides a stream into frames and seals them. The last frame is marked, so it is written when the stream has ended. */
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

/** Begins an archive: lines of JSON, compressed and sealed as they are written. */
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
  // A failure is reported by `end`, by the next write, and by a write that waits for a reader that is gone.
  let failure: unknown;
  let stopWaiting: ((error: unknown) => void) | undefined;
  sealed.catch((error: unknown) => {
    failure = error;
    stopWaiting?.(error);
  });
  const drained = (): Promise<void> =>
    new Promise((resolve, reject) => {
      stopWaiting = reject;
      gzip.once("drain", resolve);
    });
  return {
    write: async (line) => {
      if (failure !== undefined) throw failure;
      if (!gzip.write(`${JSON.stringify(line)}\n`)) await drained();
    },
    end: async () => {
      gzip.end();
      await sealed;
    },
  };
};

/** @throws Error for a length that no frame has: what follows would be collected in memory until the file ends. */
const requireFrameLength = (length: number): void => {
  if (length > sealedFrameBytes) throw new Error("the backup was changed, or is cut off");
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
      if (held.length < 4) break;
      const length = held.readUInt32BE(0);
      requireFrameLength(length);
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
  const plain = createGunzip();
  // A failure of the frames destroys `plain` with its error, which the loop throws.
  pipeline(Readable.from(openedFrames(file, settings)), plain, () => undefined);
  // Not by `node:readline`, which takes U+2028 and U+2029 for ends of lines: texts hold them as they are.
  for await (const line of linesOf(plain)) yield JSON.parse(line) as object; // written by this suite, or no frame had opened
}
