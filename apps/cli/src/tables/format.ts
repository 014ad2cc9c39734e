import { basename } from "node:path";
import { CommandFault } from "../surroundings.ts";

export const tableFormats = ["csv", "tsv", "ndjson", "parquet"] as const;

export type TableFormat = (typeof tableFormats)[number];

const byExtension: Readonly<Record<string, TableFormat>> = {
  csv: "csv",
  tsv: "tsv",
  tab: "tsv",
  ndjson: "ndjson",
  jsonl: "ndjson",
  parquet: "parquet",
};

/** The name of a file without its folder and `.gz`, as mappings name it. */
export const plainName = (file: string): string => basename(file).replace(/\.gz$/i, "");

/** @throws CommandFault for a name that does not say it. */
export const formatOf = (file: string): TableFormat => {
  const extension = /\.([a-z]+)$/i.exec(plainName(file))?.[1]?.toLowerCase() ?? "";
  const format = byExtension[extension];
  if (format !== undefined) return format;
  const what =
    file === "-" ? "standard input" : `${file} ends in none of .csv, .tsv, .ndjson, .parquet (and .gz)`;
  throw new CommandFault(`${what}: say its form by --format`);
};
