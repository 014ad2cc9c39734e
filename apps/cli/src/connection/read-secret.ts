import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { CommandFault, type CommandEnvironment } from "../command-environment.ts";

/** Reads a secret from a file, or from standard input for "-", without surrounding white space. */
export const readSecret = async (file: string, { cwd, readInput }: CommandEnvironment): Promise<string> => {
  let text: string;
  try {
    text = file === "-" ? await readInput() : await readFile(resolve(cwd, file), "utf8");
  } catch (error) {
    throw new CommandFault(`${file} cannot be read: ${(error as Error).message}`);
  }
  const secret = text.trim();
  if (secret === "") throw new CommandFault(`${file === "-" ? "standard input" : file} is empty`);
  // A token must be valid in a header. The message does not contain it.
  if (/[^\x21-\x7e]/.test(secret))
    throw new CommandFault(`${file} does not contain a token; one line without spaces expected`);
  return secret;
};
