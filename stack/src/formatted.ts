import { readFileSync } from "node:fs";
import { type FormatConfig, format } from "oxfmt";
import { inRepository } from "./repository.ts";

// Written by us.
const options = JSON.parse(readFileSync(inRepository(".oxfmtrc.json"), "utf8")) as FormatConfig;

/**
 * A text as `npm run format` writes it.
 * @param name of its file: the ending says the language
 * @throws Error if the text is none of that language
 */
export const formatted = async (name: string, text: string): Promise<string> => {
  const { code, errors } = await format(name, text, options);
  if (errors.length > 0) throw new Error(`${name}: ${errors.map(({ message }) => message).join("; ")}`);
  return code;
};
