import type { CommandDescription, ProgramDescription } from "../src/program/describe-program.ts";
import { variables } from "../src/program/variables.ts";
import { argumentsOf, type Flag, optionsOf, usageOf } from "./flags.ts";

/** Escapes text for roff: backslashes, hyphens, and control characters at the beginning of a line. */
const roff = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^([.'])/gm, "\\&$1");

const list = (flags: readonly Flag[]): readonly string[] =>
  flags.flatMap(({ term, meaning }) => [".TP", `.B "${roff(term).replaceAll('"', '""')}"`, roff(meaning)]);

const exitCodes = ({ module }: CommandDescription): readonly string[] => {
  const { 0: zero, 1: one } = module.exitCodes ?? {};
  return one === undefined ? [] : [".PP", roff(`Exit code 0: ${zero ?? "success"}; 1: ${one}.`)];
};

const commandText = (description: CommandDescription): readonly string[] => {
  const { path, summary, command, module } = description;
  return [
    `.SS "ikg ${path}"`,
    roff(summary),
    ".PP",
    `.B ${roff(usageOf(path, command))}`,
    ...(module.description ?? []).flatMap((paragraph) => [".PP", roff(paragraph)]),
    ...list([...argumentsOf(command), ...optionsOf(command)]),
    ...exitCodes(description),
    ...module.examples.flatMap((example) => [
      ".PP",
      roff(example.purpose),
      ".PP",
      ".nf",
      roff(example.command),
      ".fi",
    ]),
  ];
};

/** ikg(1). */
export const manPage = ({ program, commands }: ProgramDescription): string => {
  const sections = [...new Set(commands.map(({ section }) => section))];
  return [
    `.TH IKG 1 "" "ikg ${program.version() ?? ""}" "IKG"`,
    ".SH NAME",
    `ikg \\- ${roff("who may do what with which data, and why")}`,
    ".SH SYNOPSIS",
    ".B ikg",
    "[options] command [arguments]",
    ".SH OPTIONS",
    ...list(optionsOf(program)),
    ...sections.flatMap((section) => [
      `.SH ${section.toUpperCase()}`,
      ...commands.filter((each) => each.section === section).flatMap(commandText),
    ]),
    ".SH EXIT STATUS",
    ...list([
      { term: "0", meaning: "success" },
      { term: "1", meaning: "the answer is no, or a check failed" },
      { term: "2", meaning: "the command failed" },
    ]),
    ".SH ENVIRONMENT",
    ...list(variables),
    "",
  ].join("\n");
};
