import { valueOfText } from "../project-folder/language-value.ts";
import type { Fields } from "../project-folder/project-files.ts";
import { yamlText } from "../project-folder/yaml-text.ts";

/** Fields that are not compared: every write changes them, or they only locate the record. */
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

/** A policy or query as YAML, with its text as an object and Cypher as a block. Empty for an absent record. */
export const readableRecord = async (record: Fields | undefined): Promise<string> => {
  if (record === undefined) return "";
  const fields = Object.entries(record)
    .filter(([name, value]) => !runtime.has(name) && value !== undefined)
    .map(
      ([name, value]) => [name, name === "policy" || name === "query" ? valueOfText(value) : value] as const,
    );
  return yamlText(Object.fromEntries(fields));
};
