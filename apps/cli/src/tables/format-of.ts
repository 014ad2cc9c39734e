import { formatOfName, type TableFormat } from "@ikg/imports";
import { CommandFault } from "../surroundings.ts";

/** @throws CommandFault for an unknown extension. */
export const formatOf = (file: string): TableFormat => {
  const format = formatOfName(file);
  if (format !== undefined) return format;
  if (file === "-") throw new CommandFault("standard input requires --format");
  throw new CommandFault(
    `${file}: unsupported file type; accepted: .csv, .tsv, .tab, .ndjson, .jsonl and .parquet, each optionally with .gz; for other names, set --format`,
  );
};
