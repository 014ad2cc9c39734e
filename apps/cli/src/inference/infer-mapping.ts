import type { TableFile } from "../tables/table.ts";
import { mappingText } from "./mapping-text.ts";
import { profileTable, type TableProfile } from "./table-profile.ts";

/** A mapping of files by their first rows, as the text of a mapping file. */
export const inferMapping = async (files: readonly TableFile[]): Promise<string> => {
  const tables: TableProfile[] = [];
  for (const file of files) tables.push(await profileTable(file));
  return mappingText(tables);
};
