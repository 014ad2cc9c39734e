import { readdir, readFile } from "node:fs/promises";
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

/** A file that is formatted otherwise than by `ikg pull`. */
export interface FormattedFile {
  readonly file: string;
  /** The formatted text. */
  readonly text: string;
  /** Whether the file has comments, which the formatted text lacks. */
  readonly hasComments: boolean;
}

const hasComments = async (text: string): Promise<boolean> => {
  const { parseDocument, visit } = await import("../output/yaml.ts");
  const document = parseDocument(text);
  let found = Boolean(document.commentBefore) || Boolean(document.comment);
  visit(document, {
    Node: (_key, { comment, commentBefore }) => {
      if (Boolean(comment) || Boolean(commentBefore)) found = true;
    },
  });
  return found;
};

/** The policies and queries of folders that are not formatted as by `ikg pull`. */
export const formattedFiles = async (
  roots: readonly string[],
  environment: CommandEnvironment,
): Promise<readonly FormattedFile[]> => {
  const formatted: FormattedFile[] = [];
  for (const root of roots)
    // The keys of the table.
    for (const collection of Object.keys(folders) as ChangeableCollection[]) {
      const { folder, text: field } = folders[collection];
      const names = await readdir(resolve(environment.cwd, root, folder)).catch(() => []);
      for (const name of names.filter((each) => isRecordFile(each) && !each.endsWith(".json"))) {
        const file = join(root, folder, name);
        const value = await readValue(file, environment);
        if (!isJsonObject(value)) continue;
        const fields =
          value[field] === undefined
            ? value
            : statedFields(collection, { ...value, [field]: valueOfText(value[field]) });
        const [before, text] = [
          await readFile(resolve(environment.cwd, file), "utf8"),
          await yamlText(fields),
        ];
        if (before !== text) formatted.push({ file, text, hasComments: await hasComments(before) });
      }
    }
  return formatted;
};
