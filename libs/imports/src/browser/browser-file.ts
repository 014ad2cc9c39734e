import { InputFault } from "../input-fault.ts";
import { formatOfName } from "../tables/format.ts";
import type { TableFile } from "../tables/table.ts";
import { pageTurns } from "./next-task.ts";

/** Bytes that are parsed in one go. */
const pieceBytes = 8 * 1024;

const isGzip = async (file: Blob): Promise<boolean> => {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return first === 0x1f && second === 0x8b;
};

/** The bytes as they are stored, counted on the way. */
const counted = (file: Blob, onBytes: (count: number) => void): ReadableStream<Uint8Array<ArrayBuffer>> =>
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
  const turn = pageTurns();
  const plain = counted(file, onBytes);
  const stream = (await isGzip(file)) ? plain.pipeThrough(new DecompressionStream("gzip")) : plain;
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read())
      for (let at = 0; at < next.value.length; at += pieceBytes) {
        yield next.value.subarray(at, at + pieceBytes);
        await turn();
      }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
};

/**
 * A file that a person has chosen, read as a stream as often as needed.
 *
 * @throws InputFault for a form that is not read in browsers.
 */
export const browserFile = (file: File): TableFile => {
  const { name } = file;
  const format = formatOfName(name);
  if (format === undefined || format === "parquet")
    throw new InputFault(
      `${name} ends in none of .csv, .tsv, .ndjson (and .gz)${format === undefined ? "" : "; ikg import reads Parquet"}`,
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
