import { InputFault } from "../input-fault.ts";
import { formatOfName } from "../tables/format.ts";
import type { TableFile } from "../tables/table.ts";
import { taskYielder } from "./next-task.ts";

/** Bytes parsed before the page may run other tasks. */
const pieceBytes = 8 * 1024;

const isGzip = async (file: Blob): Promise<boolean> => {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return first === 0x1f && second === 0x8b;
};

/** The stored bytes of a file; reports the size of each chunk. */
const countBytes = (file: Blob, onBytes: (count: number) => void): ReadableStream<Uint8Array<ArrayBuffer>> =>
  file.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (chunk, controller) => {
        onBytes(chunk.length);
        controller.enqueue(chunk);
      },
    }),
  );

const read = async function* (
  file: File,
  onBytes: (count: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const yieldToPage = taskYielder();
  const plain = countBytes(file, onBytes);
  const stream = (await isGzip(file)) ? plain.pipeThrough(new DecompressionStream("gzip")) : plain;
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read())
      for (let at = 0; at < next.value.length; at += pieceBytes) {
        yield next.value.subarray(at, at + pieceBytes);
        await yieldToPage();
      }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
};

/**
 * A file that the user has chosen. It can be read as a stream any number of times.
 *
 * @throws InputFault for a format that browsers cannot read.
 */
export const browserFile = (file: File): TableFile => {
  const { name } = file;
  const format = formatOfName(name);
  if (format === undefined || format === "parquet")
    throw new InputFault(
      `${name}: unsupported file type; accepted: .csv, .tsv, .tab, .ndjson and .jsonl, each optionally with .gz${format === undefined ? "" : "; Parquet can be imported with ikg import"}`,
    );
  return {
    name,
    format,
    bytes: async function* bytes(onBytes = () => undefined) {
      try {
        yield* read(file, onBytes);
      } catch (error) {
        throw new InputFault(`${name} cannot be read: ${(error as Error).message}`);
      }
    },
  };
};
