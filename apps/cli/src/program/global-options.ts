import { type Command, InvalidArgumentError, Option } from "commander";
import { type OutputFormat, outputFormats } from "../output/format.ts";

/** Options of every command. */
export interface GlobalOptions {
  readonly output: OutputFormat;
  readonly context?: string;
  readonly url?: string;
  readonly project?: string;
  /** Seconds. */
  readonly timeout?: number;
}

const seconds = (text: string): number => {
  const value = Number(text);
  if (text.trim() === "" || !(value > 0) || value > 86_400)
    throw new InvalidArgumentError("a number of seconds expected, for example 30.");
  return value;
};

export const addGlobalOptions = (program: Command): Command =>
  program
    .addOption(new Option("-o, --output <format>", "output format").choices(outputFormats).default("table"))
    .option("-c, --context <name>", "context to use; see `ikg context list` (or IKG_CONTEXT)")
    .option("--url <address>", "address of the gateway (or IKG_URL)")
    .option("--project <name>", "name or gid of the project (or IKG_PROJECT)")
    .option("--timeout <seconds>", "timeout of one request (default: 40)", seconds);
