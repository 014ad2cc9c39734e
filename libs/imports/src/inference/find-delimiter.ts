import { fileText } from "../tables/file-text.ts";
import type { TableFile } from "../tables/table.ts";

/** What programs write between cells instead of a comma. */
const otherDelimiters = [";", "\t", "|"] as const;

/** Characters of the names of columns at most. */
const longestLine = 1024 * 1024;

const firstLineOf = async (file: TableFile, encoding: string): Promise<string> => {
  let text = "";
  for await (const piece of fileText(file, encoding)) {
    text += piece;
    if (text.includes("\n") || text.length > longestLine) break;
  }
  return text.split(/\r?\n/, 1)[0] ?? "";
};

/** The character between the names of columns, if it is not that of the format; undefined where it is. */
export const findDelimiter = async (file: TableFile, encoding = "utf-8"): Promise<string | undefined> => {
  if (file.format !== "csv") return undefined;
  const names = (await firstLineOf(file, encoding)).replaceAll(/"(?:[^"]|"")*"/g, "");
  return names.includes(",") ? undefined : otherDelimiters.find((each) => names.includes(each));
};
