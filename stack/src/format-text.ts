import { readFileSync } from "node:fs";
import { type FormatConfig, format } from "oxfmt";
import { inRepository } from "./repository.ts";

// A file of this repository.
const options = JSON.parse(readFileSync(inRepository(".oxfmtrc.json"), "utf8")) as FormatConfig;

/**
 * Formats a text as `npm run format` does.
 * @param name of its file, whose extension determines the language
 * @throws Error if the text is not valid in that language
 */
export const formatText = async (name: string, text: string): Promise<string> => {
  const { code, errors } = await format(name, text, options);
  if (errors.length > 0) throw new Error(`${name}: ${errors.map(({ message }) => message).join("; ")}`);
  return code;
};
