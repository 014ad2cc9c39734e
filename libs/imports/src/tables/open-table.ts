import { InputFault } from "../input-fault.ts";
import { readDelimited } from "./read-delimited.ts";
import { readNdjson } from "./read-ndjson.ts";
import type { ReadOptions, Table, TableFile } from "./table.ts";

export interface OpenOptions extends ReadOptions {
  /** Lines of NDJSON stay as they are. */
  readonly asText?: boolean;
}

/** @throws InputFault for a file that is none of its format. */
export const openTable = async (file: TableFile, options: OpenOptions): Promise<Table> => {
  switch (file.format) {
    case "csv":
    case "tsv":
      return readDelimited(file, options);
    case "ndjson":
      return readNdjson(file, options, options.asText !== true);
    default:
      if (file.openRows === undefined)
        throw new InputFault(`${file.name}: ${file.format} cannot be read here`);
      return file.openRows(options);
  }
};
