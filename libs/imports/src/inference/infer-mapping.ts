import { parse } from "yaml";
import { ImportMapping } from "../mapping/schema.ts";
import type { TableFile } from "../tables/table.ts";
import { mappingText } from "./mapping-text.ts";
import { profileTable, type TableProfile } from "./table-profile.ts";

/** What a mapping of files by their first rows has for sure; relationships of keys are proposals (`foreignKeysOf`). */
export const inferredMapping = (tables: readonly TableProfile[]): ImportMapping =>
  ImportMapping.parse(parse(mappingText(tables)));

/** A mapping of files by their first rows, as the text of a mapping file. */
export const inferMapping = async (files: readonly TableFile[]): Promise<string> => {
  const tables: TableProfile[] = [];
  for (const file of files) tables.push(await profileTable(file));
  return mappingText(tables);
};
