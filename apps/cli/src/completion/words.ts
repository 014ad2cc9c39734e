import type { Command } from "commander";

/** A command by its path below the program, and what may follow it. */
export interface Words {
  /** "" for the program itself, "keys create" for a command of a family. */
  readonly path: string;
  readonly summary: string;
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly {
    readonly flag: string;
    readonly description: string;
    readonly takesValue: boolean;
  }[];
}

const flagsOf = (command: Command): Words["options"] =>
  command.options
    .filter(({ hidden }) => !hidden)
    .flatMap(({ long, short, description, required, optional }) =>
      [long, short]
        .filter((flag) => flag !== undefined)
        .map((flag) => ({ flag, description, takesValue: required || optional })),
    );

/** What every command line may have. */
export const wordsOf = (program: Command): readonly Words[] => {
  const global = [
    ...flagsOf(program),
    { flag: "--help", description: "help of the command", takesValue: false },
  ];
  const visit = (command: Command, path: string): readonly Words[] => [
    {
      path,
      summary: command.summary(),
      commands: command.commands.map((each) => ({ name: each.name(), summary: each.summary() })),
      options: path === "" ? global : [...flagsOf(command), ...global],
    },
    ...command.commands.flatMap((each) => visit(each, `${path} ${each.name()}`.trim())),
  ];
  return visit(program, "");
};
