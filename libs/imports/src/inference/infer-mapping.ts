import { parse } from "yaml";
import { ImportMapping } from "../mapping/schema.ts";
import type { TableFile } from "../tables/table.ts";
import { mappingText } from "./mapping-text.ts";
import { profileTable, type TableProfile } from "./table-profile.ts";

/** The mapping inferred from the first rows of files, without the relationships that `foreignKeysOf` proposes. */
export const inferredMapping = (tables: readonly TableProfile[]): ImportMapping =>
  ImportMapping.parse(parse(mappingText(tables)));

/** The mapping inferred from the first rows of files, as the text of a mapping file. */
export const inferMapping = async (files: readonly TableFile[]): Promise<string> => {
  const tables: TableProfile[] = [];
  for (const file of files) tables.push(await profileTable(file));
  return mappingText(tables);
};
