import { formatOfName, type TableFormat } from "@ikg/imports";
import { CommandFault } from "../surroundings.ts";

/** @throws CommandFault for a name that does not say it. */
export const formatOf = (file: string): TableFormat => {
  const format = formatOfName(file);
  if (format !== undefined) return format;
  const what =
    file === "-" ? "standard input" : `${file} ends in none of .csv, .tsv, .ndjson, .parquet (and .gz)`;
  throw new CommandFault(`${what}: say its form by --format`);
};
