import type { Command } from "commander";
import { collectValues, type Values } from "../../input/value.ts";
import { readFields } from "../../records/read-record.ts";
import { CommandFault, type Surroundings } from "../../surroundings.ts";

export interface FieldOptions {
  readonly set?: Values;
}

export const addFieldOptions = (command: Command): Command =>
  command
    .argument("[file]", "JSON or YAML with fields of the record; - for standard input")
    .option("--set <field=value>", "a field; several times; the value is JSON, else text", collectValues);

/** Fields of the file, and over them those of `--set`. */
export const fieldsOf = async (
  file: string | undefined,
  { set }: FieldOptions,
  around: Surroundings,
): Promise<Values> => {
  if (file === undefined && set === undefined)
    throw new CommandFault("the fields are missing: name a file, or --set field=value");
  return { ...(file === undefined ? {} : await readFields(file, around)), ...set };
};
