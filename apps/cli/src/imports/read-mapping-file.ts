import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Mapping, readMapping } from "@ikg/imports";
import { CommandFault } from "../command-environment.ts";

/** @throws MappingFileFault for an invalid mapping, CommandFault for a file that cannot be read. */
export const readMappingFile = async (file: string, cwd: string): Promise<Mapping> => {
  const text = await readFile(resolve(cwd, file), "utf8").catch((error: unknown) => {
    throw new CommandFault(`${file} cannot be read: ${(error as Error).message}`);
  });
  return readMapping(file, text);
};
