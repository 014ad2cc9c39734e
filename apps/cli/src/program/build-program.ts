import { Command } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { type Print, printer } from "../output/print.ts";
import type { ExitCode, Surroundings } from "../surroundings.ts";
import type { CommandEntry, CommandFamily, CommandModule, CommandSection } from "./command-module.ts";
import { addGlobalOptions, type GlobalOptions } from "./global-options.ts";
import { helpAfter, variablesHelp } from "./help-text.ts";

/** Where results of commands go. */
export interface ProgramOptions {
  readonly sections: readonly CommandSection[];
  readonly around: Surroundings;
  readonly ended: (code: ExitCode) => void;
}

/** Entries by the commands that stand for them. */
type Entries = Map<Command, CommandEntry>;

const widest = 100;

/** Adds what a command is called with, and what it does. */
const define = (
  command: Command,
  entry: CommandEntry,
  module: CommandModule,
  options: ProgramOptions,
): void => {
  const { around, ended } = options;
  command
    .description([entry.summary, ...(module.description ?? [])].join("\n\n"))
    .addHelpText("after", () => helpAfter(module, command.configureOutput().getOutHelpWidth?.() ?? 80));
  module.configure?.(command);
  command.action(async () => {
    const given: GlobalOptions = command.optsWithGlobals();
    const print: Print = printer(given.output, around);
    const loadProgram = async (): Promise<Command> => (await buildWholeProgram(options)).program;
    const args = command.processedArgs;
    ended((await module.run({ args, options: given, around, print, loadProgram })) ?? 0);
  });
};

const addEntry = (parent: Command, entry: CommandEntry | CommandFamily, entries: Entries): void => {
  const command = parent.command(entry.name).summary(entry.summary).description(entry.summary);
  if ("load" in entry) entries.set(command, entry);
  else for (const each of entry.commands) addEntry(command, each, entries);
};

/** A command is loaded before its arguments are parsed; the others stay names with summaries. */
const loadWhenCalled = (command: Command, entries: Entries, options: ProgramOptions): void => {
  command.hook("preSubcommand", async (_, called) => {
    const entry = entries.get(called);
    if (entry === undefined) return;
    define(called, entry, (await entry.load()).command, options);
  });
  for (const each of command.commands) loadWhenCalled(each, entries, options);
};

const configured = (program: Command, { around }: ProgramOptions): Command =>
  program
    .exitOverride()
    .configureOutput({
      writeOut: around.out,
      writeErr: around.error,
      // One line also where there is a suggestion.
      outputError: (text, write) => write(text.trimEnd().replaceAll(/\s*\n\s*/g, " ") + "\n"),
      getOutHelpWidth: () => Math.min(around.columns ?? widest, widest),
      getErrHelpWidth: () => Math.min(around.columns ?? widest, widest),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp({ subcommandTerm: (command) => command.name(), minWidthToWrap: 20 });

/** The program with the names of all commands. */
export const buildProgram = (options: ProgramOptions): Command => {
  const program: Command = configured(new Command("ikg"), options)
    .description("The command line of IKG: who may do what with which data, and why.")
    .version(manifest.version, "-V, --version", "version of this program")
    .addHelpText("after", () => variablesHelp(program));
  addGlobalOptions(program);
  const entries: Entries = new Map();
  for (const { title, commands } of options.sections) {
    program.commandsGroup(`${title}:`);
    for (const entry of commands) addEntry(program, entry, entries);
  }
  // In the last section: without one it would be a section of its own.
  program.helpCommand("help [command]", "Show the help of a command.");
  loadWhenCalled(program, entries, options);
  return program;
};

/** The same with every command loaded: for documentation and completion. */
export const buildWholeProgram = async (
  options: ProgramOptions,
): Promise<{ readonly program: Command; readonly modules: ReadonlyMap<Command, CommandModule> }> => {
  const program = buildProgram(options);
  const modules = new Map<Command, CommandModule>();
  const visit = async (parent: Command, below: readonly (CommandEntry | CommandFamily)[]): Promise<void> => {
    for (const entry of below) {
      const command = parent.commands.find((each) => each.name() === entry.name);
      if (command === undefined) continue;
      if (!("load" in entry)) {
        await visit(command, entry.commands);
        continue;
      }
      const { command: module } = await entry.load();
      define(command, entry, module, options);
      modules.set(command, module);
    }
  };
  for (const { commands } of options.sections) await visit(program, commands);
  return { program, modules };
};
