import type { ReadOptions, Table, TableFile, TableFormat } from "@ikg/imports";
import { fileBytes, type NamedFile } from "./file-bytes.ts";
import { readParquet } from "./read-parquet.ts";

/** A file with rows on this machine. */
export interface LocalFile extends TableFile, NamedFile {
  /** The path of the original file, if `path` is a decompressed copy. */
  readonly origin: string;
}

export const localFile = (
  file: NamedFile & { readonly origin: string; readonly format: TableFormat },
): LocalFile => ({
  ...file,
  bytes: (onBytes) => fileBytes(file, onBytes),
  openRows:
    file.format === "parquet"
      ? (options: ReadOptions): Promise<Table> => readParquet(file, options)
      : undefined,
});
