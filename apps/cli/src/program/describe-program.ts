import type { Command } from "commander";
import { commandSections } from "../commands/index.ts";
import { noTerminal } from "../command-environment.ts";
import { buildWholeProgram } from "./build-program.ts";
import type { CommandModule } from "./command-module.ts";

/** A command with the contents of its help. */
export interface CommandDescription {
  /** Path below the program: `keys create`. */
  readonly path: string;
  readonly section: string;
  readonly summary: string;
  readonly command: Command;
  readonly module: CommandModule;
}

export interface ProgramDescription {
  readonly program: Command;
  readonly commands: readonly CommandDescription[];
}

const pathOf = (command: Command): string => {
  const { parent } = command;
  return parent === null || parent.parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`;
};

/** Every command, in the order of the help. */
export const describeProgram = async (): Promise<ProgramDescription> => {
  const { program, modules } = await buildWholeProgram({
    sections: commandSections,
    environment: noTerminal,
    ended: () => undefined,
  });
  const titles = new Map(
    commandSections.flatMap(({ title, commands }) => commands.map(({ name }) => [name, title])),
  );
  const commands = [...modules].map(([command, module]): CommandDescription => {
    const path = pathOf(command);
    return {
      path,
      section: titles.get(path.split(" ")[0] ?? "") ?? "",
      summary: command.summary(),
      command,
      module,
    };
  });
  return { program, commands };
};
