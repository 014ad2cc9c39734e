import { isObject } from "../../../text/json.ts";

/** One entry of a property's metadata, as a row shows it. */
export interface MetadataEntry {
  readonly name: string;
  readonly value: unknown;
  /** Set where the value is a time (RFC 3339). */
  readonly instant: string | undefined;
}

const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

const entry = (name: string, value: unknown): MetadataEntry => ({
  name,
  value,
  instant: typeof value === "string" && instantPattern.test(value) ? value : undefined,
});

/** Metadata in the order of its names; the author's own (`custom_metadata`) stands after that of the suite. */
export const metadataEntries = (metadata: Readonly<Record<string, unknown>>): readonly MetadataEntry[] => {
  const { custom_metadata: custom, ...own } = metadata;
  const listed = (members: Readonly<Record<string, unknown>>): readonly MetadataEntry[] =>
    Object.entries(members).map(([name, value]) => entry(name, value));
  if (custom === undefined) return listed(own);
  return [...listed(own), ...(isObject(custom) ? listed(custom) : [entry("custom_metadata", custom)])];
};
