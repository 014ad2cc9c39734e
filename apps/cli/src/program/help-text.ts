import { type Command, Help } from "commander";
import { variables } from "./variables.ts";
import type { CommandModule, Example } from "./command-module.ts";

const codeLines = ({ exitCodes = {} }: CommandModule): string => {
  const { 0: zero = "done", 1: one } = exitCodes;
  const codes = [`0: ${zero}`, ...(one === undefined ? [] : [`1: ${one}`]), "2: the command failed"];
  return `Exit codes: ${codes.join("; ")}.`;
};

const exampleLines = ({ purpose, command }: Example): string => `  # ${purpose}\n  ${command}`;

/** Environment variables, in the format that commander uses for commands. */
export const variablesHelp = (program: Command): string => {
  const help = program.createHelp();
  help.prepareContext({ helpWidth: program.configureOutput().getOutHelpWidth?.() ?? 80 });
  const width = Math.max(...variables.map(({ term }) => term.length));
  const lines = variables.map(({ term, meaning }) => help.formatItem(term, width, meaning, help));
  return ["", "Environment:", ...lines].join("\n");
};

/** The help text below the options of a command. */
export const helpAfter = (module: CommandModule, width: number): string =>
  [
    "",
    "Examples:",
    module.examples.map(exampleLines).join("\n\n"),
    "",
    new Help().boxWrap(codeLines(module), width),
    "Global options (--output, --context …): ikg --help",
  ].join("\n");
