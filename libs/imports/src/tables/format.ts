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

/** The name of a file without its folder and `.gz`, as used in mappings. */
export const plainName = (file: string): string => file.replace(/^.*[/\\]/, "").replace(/\.gz$/i, "");

/** The format by the extension of a file; undefined for an unknown extension. */
export const formatOfName = (file: string): TableFormat | undefined =>
  byExtension[/\.([a-z]+)$/i.exec(plainName(file))?.[1]?.toLowerCase() ?? ""];
