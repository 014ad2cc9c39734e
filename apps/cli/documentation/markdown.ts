import type { CommandDescription, ProgramDescription } from "../src/program/describe-program.ts";
import { argumentsOf, type Flag, optionsOf, usageOf } from "./flags.ts";

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
const code = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``;

const table = (title: string, flags: readonly Flag[]): readonly string[] =>
  flags.length === 0
    ? []
    : [
        `| ${title} | |`,
        "| --- | --- |",
        ...flags.map(({ term, meaning }) => `| ${code(term)} | ${cell(meaning)} |`),
        "",
      ];

const exitCodes = ({ module }: CommandDescription): string => {
  const { 0: zero, 1: one } = module.exitCodes ?? {};
  return one === undefined ? "" : `Exit code 0: ${zero ?? "success"}; 1: ${one}; 2: the command failed.\n`;
};

const examples = ({ module }: CommandDescription): string =>
  ["```sh", ...module.examples.flatMap(({ purpose, command }) => [`# ${purpose}`, command]), "```", ""].join(
    "\n",
  );

const commandText = (description: CommandDescription): string => {
  const { path, summary, command, module } = description;
  return [
    `### ikg ${path}`,
    "",
    summary,
    "",
    ...(module.description ?? []).flatMap((paragraph) => [paragraph.replaceAll("<", "&lt;"), ""]),
    code(usageOf(path, command)),
    "",
    ...table("argument", argumentsOf(command)),
    ...table("option", optionsOf(command)),
    exitCodes(description),
    examples(description),
  ].join("\n");
};

/** The reference of docs/cli.md. */
export const markdownReference = ({ program, commands }: ProgramDescription): string => {
  const sections = [...new Set(commands.map(({ section }) => section))];
  return [
    "## Global options",
    "",
    ...table("option", optionsOf(program)),
    ...sections.flatMap((section) => [
      `## ${section}`,
      "",
      ...commands.filter((each) => each.section === section).map(commandText),
    ]),
  ].join("\n");
};
