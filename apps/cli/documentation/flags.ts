import type { Argument, Command, Option } from "commander";

/** An argument or option with its meaning. */
export interface Flag {
  readonly term: string;
  readonly meaning: string;
}

const argumentTerm = (argument: Argument): string => {
  const name = argument.name() + (argument.variadic ? "..." : "");
  return argument.required ? `<${name}>` : `[${name}]`;
};

const defaultText = ({ defaultValue, argChoices }: Option): string => {
  const choices = argChoices === undefined ? "" : `: ${argChoices.join(", ")}`;
  const isPlain = typeof defaultValue === "string" || typeof defaultValue === "number";
  return choices + (isPlain ? ` (default: ${defaultValue})` : "");
};

/** The usage of a command: `ikg may [options] <subject> <action> <resource>`. */
export const usageOf = (path: string, command: Command): string =>
  ["ikg", path, "[options]", ...command.registeredArguments.map(argumentTerm)].filter(Boolean).join(" ");

export const argumentsOf = (command: Command): readonly Flag[] =>
  command.registeredArguments.map((argument) => ({
    term: argumentTerm(argument),
    meaning: argument.description,
  }));

export const optionsOf = (command: Command): readonly Flag[] =>
  command.options
    .filter(({ hidden }) => !hidden)
    .map((option) => ({ term: option.flags, meaning: option.description + defaultText(option) }));
