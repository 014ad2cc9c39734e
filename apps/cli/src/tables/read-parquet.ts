import type { AsyncBuffer } from "hyparquet";
import { type FileHandle, open } from "node:fs/promises";
import { InputFault, type ReadOptions, type Row, type Table } from "@ikg/imports";
import type { NamedFile } from "./file-bytes.ts";

const bufferOf = async (handle: FileHandle, onBytes: (count: number) => void): Promise<AsyncBuffer> => {
  const { size } = await handle.stat();
  return {
    byteLength: size,
    slice: async (start, end = size) => {
      const bytes = new Uint8Array(end - start);
      await handle.read(bytes, 0, bytes.length, start);
      onBytes(bytes.length);
      return bytes.buffer;
    },
  };
};

/** Reads Apache Parquet, with one row group at a time in memory. */
export const readParquet = async (
  file: NamedFile,
  { onBytes = () => undefined }: ReadOptions,
): Promise<Table> => {
  const { parquetMetadataAsync, parquetReadObjects, parquetSchema } = await import("hyparquet");
  const { compressors } = await import("hyparquet-compressors");
  const handle = await open(file.path);
  const reading = async <T>(read: () => Promise<T>): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      await handle.close();
      throw new InputFault(`${file.name}: ${(error as Error).message}`);
    }
  };
  const buffer = await bufferOf(handle, onBytes);
  const metadata = await reading(() => parquetMetadataAsync(buffer));
  return {
    columns: parquetSchema(metadata).children.map(({ element }) => element.name),
    areObjects: true,
    close: () => handle.close(),
    batches: async function* batches() {
      let rowStart = 0;
      try {
        for (const { num_rows } of metadata.row_groups) {
          const rowEnd = rowStart + Number(num_rows);
          const range = { file: buffer, metadata, compressors, rowStart, rowEnd };
          const objects = await reading(() => parquetReadObjects(range));
          const before = rowStart;
          yield objects.map((cells, at): Row => ({ number: before + at + 1, cells }));
          rowStart = rowEnd;
        }
      } finally {
        await handle.close();
      }
    },
  };
};
