import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { isJsonObject } from "@ikg/contracts/values";
import { CommandFault, type CommandEnvironment } from "../command-environment.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Parses a JSON or YAML file, or standard input for "-". @throws CommandFault with the name of the file */
export const readValue = async (file: string, { cwd, readInput }: CommandEnvironment): Promise<unknown> => {
  const shown = file === "-" ? "standard input" : file;
  let text: string;
  try {
    text = file === "-" ? await readInput() : await readFile(resolve(cwd, file), "utf8");
  } catch (error) {
    throw new CommandFault(`${shown} cannot be read: ${(error as Error).message}`);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (file.endsWith(".json")) throw new CommandFault(`${shown} is not JSON: ${(cause as Error).message}`);
  }
  const { parse } = await import("../output/yaml.ts");
  try {
    return parse(text) as unknown;
  } catch (error) {
    const [line = ""] = (error as Error).message.split("\n");
    throw new CommandFault(`${shown} is neither JSON nor YAML: ${line}`);
  }
};

/** Reads the fields of a record. */
export const readFields = async (file: string, environment: CommandEnvironment): Promise<Fields> => {
  const value = await readValue(file, environment);
  if (isJsonObject(value)) return value;
  throw new CommandFault(
    `${file === "-" ? "standard input" : file} is not an object with the fields of a record`,
  );
};
