import { fileText } from "../tables/file-text.ts";
import type { TableFile } from "../tables/table.ts";

/** Delimiters that programs use instead of a comma. */
const otherDelimiters = [";", "\t", "|"] as const;

/** Maximum characters of the header line. */
const maxHeaderCharacters = 1024 * 1024;

const firstLineOf = async (file: TableFile, encoding: string): Promise<string> => {
  let text = "";
  for await (const piece of fileText(file, encoding)) {
    text += piece;
    if (text.includes("\n") || text.length > maxHeaderCharacters) break;
  }
  return text.split(/\r?\n/, 1)[0] ?? "";
};

/** The delimiter of the header line; undefined if it is the default of the format. */
export const findDelimiter = async (file: TableFile, encoding = "utf-8"): Promise<string | undefined> => {
  if (file.format !== "csv") return undefined;
  const names = (await firstLineOf(file, encoding)).replaceAll(/"(?:[^"]|"")*"/g, "");
  return names.includes(",") ? undefined : otherDelimiters.find((each) => names.includes(each));
};
