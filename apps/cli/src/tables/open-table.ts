import { readDelimited } from "./read-delimited.ts";
import { readNdjson } from "./read-ndjson.ts";
import { readParquet } from "./read-parquet.ts";
import type { ReadOptions, Table, TableFile } from "./table.ts";

export interface OpenOptions extends ReadOptions {
  /** Lines of NDJSON stay as they are. */
  readonly asText?: boolean;
}

/** @throws CommandFault for a file that is none of its format. */
export const openTable = async (file: TableFile, options: OpenOptions): Promise<Table> => {
  switch (file.format) {
    case "csv":
    case "tsv":
      return readDelimited(file, options);
    case "ndjson":
      return readNdjson(file, options, options.asText !== true);
    case "parquet":
      return readParquet(file, options);
  }
};
