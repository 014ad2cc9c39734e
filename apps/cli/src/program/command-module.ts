import type { Command } from "commander";
import type { Print } from "../output/print.ts";
import type { ExitCode, CommandEnvironment } from "../command-environment.ts";
import type { GlobalOptions } from "./global-options.ts";

/** An example command line with a comment; a test runs all of them. */
export interface Example {
  readonly purpose: string;
  readonly command: string;
  /** The exit code, where it is not 0. */
  readonly exits?: ExitCode;
}

/** The arguments and environment of a command call. */
export interface Invocation<Args extends readonly unknown[] = readonly unknown[], Options = object> {
  /** Arguments in the order of their definition. */
  readonly args: Args;
  readonly options: Options & GlobalOptions;
  readonly environment: CommandEnvironment;
  /** Prints the result, in the form that `--output` names. */
  readonly print: Print;
  /** The program with every command loaded. */
  readonly loadProgram: () => Promise<Command>;
}

/** A command: loaded only when it is called, or its help is shown. */
export interface CommandModule<Args extends readonly unknown[] = readonly unknown[], Options = object> {
  /** Paragraphs after the summary. */
  readonly description?: readonly string[];
  readonly examples: readonly Example[];
  /** Meaning of exit codes 0 and 1; code 2 means the same for all commands. */
  readonly exitCodes?: Readonly<Partial<Record<0 | 1, string>>>;
  /** Adds arguments and options. */
  configure?(command: Command): void;
  /** @returns the exit code; undefined means 0. */
  run(invocation: Invocation<Args, Options>): Promise<ExitCode | void>;
}

/** A command as listed by `ikg --help`. */
export interface CommandEntry {
  readonly name: string;
  /** One line. */
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: CommandModule }>;
}

/** Commands with a common first word. */
export interface CommandFamily {
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly CommandEntry[];
}

/** A heading of `ikg --help`. */
export interface CommandSection {
  readonly title: string;
  readonly commands: readonly (CommandEntry | CommandFamily)[];
}
