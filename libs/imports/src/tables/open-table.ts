import { InputFault } from "../input-fault.ts";
import { readDelimited } from "./read-delimited.ts";
import { readNdjson } from "./read-ndjson.ts";
import type { ReadOptions, Table, TableFile } from "./table.ts";

export interface OpenOptions extends ReadOptions {
  /** Lines of NDJSON are not parsed. */
  readonly isText?: boolean;
}

/** @throws InputFault for a file that is not valid in its format. */
export const openTable = async (file: TableFile, options: OpenOptions): Promise<Table> => {
  switch (file.format) {
    case "csv":
    case "tsv":
      return readDelimited(file, options);
    case "ndjson":
      return readNdjson(file, options, options.isText !== true);
    default:
      if (file.openRows === undefined)
        throw new InputFault(`${file.name}: ${file.format} files are not supported here`);
      return file.openRows(options);
  }
};
