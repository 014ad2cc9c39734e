import type { Command } from "commander";
import type { Print } from "../output/print.ts";
import type { ExitCode, Surroundings } from "../surroundings.ts";
import type { GlobalOptions } from "./global-options.ts";

/** One command line with what it does; every one is run by a test. */
export interface Example {
  readonly does: string;
  readonly command: string;
  /** The exit code, where it is not 0. */
  readonly exits?: ExitCode;
}

/** What a command is called with. */
export interface Invocation<Args extends readonly unknown[] = readonly unknown[], Options = object> {
  /** Arguments in the order of their definition. */
  readonly args: Args;
  readonly options: Options & GlobalOptions;
  readonly around: Surroundings;
  /** Prints the result, in the form that `--output` names. */
  readonly print: Print;
  /** The program with every command loaded. */
  readonly loadProgram: () => Promise<Command>;
}

/** A command: loaded only when it is called, or its help is shown. */
export interface CommandModule<Args extends readonly unknown[] = readonly unknown[], Options = object> {
  /** What is to be known besides the summary; paragraphs. */
  readonly description?: readonly string[];
  readonly examples: readonly Example[];
  /** What exit codes 0 and 1 mean; 2 is the same for all. */
  readonly exitCodes?: Readonly<Partial<Record<0 | 1, string>>>;
  /** Adds arguments and options. */
  configure?(command: Command): void;
  /** @returns the exit code; nothing stands for 0. */
  run(invocation: Invocation<Args, Options>): Promise<ExitCode | void>;
}

/** What `ikg --help` shows of a command. */
export interface CommandEntry {
  readonly name: string;
  /** One line. */
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: CommandModule }>;
}

/** Commands below one name. */
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
