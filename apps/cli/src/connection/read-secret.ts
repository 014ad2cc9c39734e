import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { CommandFault, type Surroundings } from "../surroundings.ts";

/** The secret of a file, or of standard input for "-"; white space around it is not part of it. */
export const readSecret = async (file: string, { cwd, readInput }: Surroundings): Promise<string> => {
  let text: string;
  try {
    text = file === "-" ? await readInput() : await readFile(resolve(cwd, file), "utf8");
  } catch (error) {
    throw new CommandFault(`${file} cannot be read: ${(error as Error).message}`);
  }
  const secret = text.trim();
  if (secret === "") throw new CommandFault(`${file === "-" ? "standard input" : file} is empty`);
  // What cannot be sent in a header is no token; its content is not repeated.
  if (/[^\x21-\x7e]/.test(secret))
    throw new CommandFault(`${file} holds no token: one line without spaces expected`);
  return secret;
};
