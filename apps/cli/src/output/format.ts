/** Values of `--output`. */
export const outputFormats = ["table", "json", "yaml", "csv", "ndjson"] as const;

export type OutputFormat = (typeof outputFormats)[number];
