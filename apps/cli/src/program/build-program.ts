import { Command } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { type Print, printer } from "../output/print.ts";
import type { ExitCode, CommandEnvironment } from "../command-environment.ts";
import type { CommandEntry, CommandFamily, CommandModule, CommandSection } from "./command-module.ts";
import { addGlobalOptions, type GlobalOptions } from "./global-options.ts";
import { helpAfter, variablesHelp } from "./help-text.ts";

/** The commands, and their environment. */
export interface ProgramOptions {
  readonly sections: readonly CommandSection[];
  readonly environment: CommandEnvironment;
  readonly ended: (code: ExitCode) => void;
}

/** Entries by their commands. */
type Entries = Map<Command, CommandEntry>;

const maxWidth = 100;

/** Adds the arguments, options and action of a command. */
const define = (
  command: Command,
  entry: CommandEntry,
  module: CommandModule,
  options: ProgramOptions,
): void => {
  const { environment, ended } = options;
  command
    .description([entry.summary, ...(module.description ?? [])].join("\n\n"))
    .addHelpText("after", () => helpAfter(module, command.configureOutput().getOutHelpWidth?.() ?? 80));
  module.configure?.(command);
  command.action(async () => {
    const given: GlobalOptions = command.optsWithGlobals();
    const print: Print = printer(given.output, environment);
    const loadProgram = async (): Promise<Command> => (await buildWholeProgram(options)).program;
    const args = command.processedArgs;
    ended((await module.run({ args, options: given, environment, print, loadProgram })) ?? 0);
  });
};

const addEntry = (parent: Command, entry: CommandEntry | CommandFamily, entries: Entries): void => {
  const command = parent.command(entry.name).summary(entry.summary).description(entry.summary);
  if ("load" in entry) entries.set(command, entry);
  else for (const each of entry.commands) addEntry(command, each, entries);
};

/** Loads a command before its arguments are parsed; the other commands have only names and summaries. */
const loadWhenCalled = (command: Command, entries: Entries, options: ProgramOptions): void => {
  command.hook("preSubcommand", async (_, called) => {
    const entry = entries.get(called);
    if (entry === undefined) return;
    define(called, entry, (await entry.load()).command, options);
  });
  for (const each of command.commands) loadWhenCalled(each, entries, options);
};

const configured = (program: Command, { environment }: ProgramOptions): Command =>
  program
    .exitOverride()
    .configureOutput({
      writeOut: environment.out,
      writeErr: environment.error,
      // Suggestions are appended to the same line.
      outputError: (text, write) => write(text.trimEnd().replaceAll(/\s*\n\s*/g, " ") + "\n"),
      getOutHelpWidth: () => Math.min(environment.columns ?? maxWidth, maxWidth),
      getErrHelpWidth: () => Math.min(environment.columns ?? maxWidth, maxWidth),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp({ subcommandTerm: (command) => command.name(), minWidthToWrap: 20 });

/** The program with the names of all commands. */
export const buildProgram = (options: ProgramOptions): Command => {
  const program: Command = configured(new Command("ikg"), options)
    .description("The command line of IKG: who may do what with which data, and why.")
    .version(manifest.version, "-V, --version", "print the version of this program")
    .addHelpText("after", () => variablesHelp(program));
  addGlobalOptions(program);
  const entries: Entries = new Map();
  for (const { title, commands } of options.sections) {
    program.commandsGroup(`${title}:`);
    for (const entry of commands) addEntry(program, entry, entries);
  }
  // Belongs to the last section; otherwise it would get its own.
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
