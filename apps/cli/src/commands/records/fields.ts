import type { Command } from "commander";
import { collectValues, type Values } from "../../input/value.ts";
import { readFields } from "../../records/read-record.ts";
import { CommandFault, type CommandEnvironment } from "../../command-environment.ts";

export interface FieldOptions {
  readonly set?: Values;
}

export const addFieldOptions = (command: Command): Command =>
  command
    .argument("[file]", "JSON or YAML file with fields of the record; - for standard input")
    .option(
      "--set <field=value>",
      "set a field; repeatable; the value is parsed as JSON if possible, otherwise it is text",
      collectValues,
    );

/** The fields of the file, overridden by those of `--set`. */
export const fieldsOf = async (
  file: string | undefined,
  { set }: FieldOptions,
  environment: CommandEnvironment,
): Promise<Values> => {
  if (file === undefined && set === undefined)
    throw new CommandFault("no fields: pass a file, or --set field=value");
  return { ...(file === undefined ? {} : await readFields(file, environment)), ...set };
};
