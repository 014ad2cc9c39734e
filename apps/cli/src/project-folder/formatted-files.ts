import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { ChangeableCollection } from "@ikg/contracts";
import { isJsonObject } from "@ikg/contracts/values";
import { isRecordFile } from "../records/file-names.ts";
import { readValue } from "../records/read-record.ts";
import type { CommandEnvironment } from "../command-environment.ts";
import { valueOfText } from "./language-value.ts";
import { folders } from "./project-files.ts";
import { statedFields } from "./stated-fields.ts";
import { yamlText } from "./yaml-text.ts";

/** The policies and queries of folders, formatted as by `ikg pull`. */
export const formattedFiles = async (
  roots: readonly string[],
  around: CommandEnvironment,
): Promise<readonly { readonly file: string; readonly text: string }[]> => {
  const formatted: { file: string; text: string }[] = [];
  for (const root of roots)
    // The keys of the table.
    for (const collection of Object.keys(folders) as ChangeableCollection[]) {
      const { folder, text: field } = folders[collection];
      const names = await readdir(resolve(around.cwd, root, folder)).catch(() => []);
      for (const name of names.filter((each) => isRecordFile(each) && !each.endsWith(".json"))) {
        const file = join(root, folder, name);
        const value = await readValue(file, around);
        if (!isJsonObject(value)) continue;
        const fields =
          value[field] === undefined
            ? value
            : statedFields(collection, { ...value, [field]: valueOfText(value[field]) });
        formatted.push({ file, text: await yamlText(fields) });
      }
    }
  return formatted;
};
