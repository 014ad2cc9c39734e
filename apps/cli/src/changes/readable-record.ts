/** Fields that every write changes, or that say where a record is: they are no difference. */
const runtime = new Set([
  "id",
  "create_time",
  "created_by",
  "update_time",
  "updated_by",
  "organization_id",
  "project_id",
  "etag",
  "version",
  "warnings",
]);

type Fields = Readonly<Record<string, unknown>>;

const parsed = (value: unknown): unknown => {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value; // a draft may be any text
  }
};

/** A policy or query as YAML: its text as a tree, Cypher as a block. Absent records are empty. */
export const readableRecord = async (record: Fields | undefined): Promise<string> => {
  if (record === undefined) return "";
  const fields = Object.entries(record)
    .filter(([name, value]) => !runtime.has(name) && value !== undefined)
    .map(([name, value]) => [name, name === "policy" || name === "query" ? parsed(value) : value] as const);
  const { stringify } = await import("../output/yaml.ts");
  return stringify(Object.fromEntries(fields), { lineWidth: 0, aliasDuplicateObjects: false });
};
