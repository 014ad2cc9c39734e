import { Command, CommanderError } from "commander";
import { auditExport } from "./audit/export.ts";
import { auditVerify } from "./audit/verify.ts";
import { codegen } from "./codegen/command.ts";
import { policyTest } from "./policy-tests/command.ts";
import { CommandFault, type ExitCode, type Surroundings } from "./surroundings.ts";

/** Adds one command to the program or to a group of commands. */
type AddCommand = (parent: Command, around: Surroundings, ended: (code: ExitCode) => void) => Command;

interface CommandGroup {
  readonly name: string;
  readonly description: string;
  readonly commands: readonly AddCommand[];
}

/** Every command, in the order of the help; those of a group follow its name. */
const commands: readonly (AddCommand | CommandGroup)[] = [
  policyTest,
  codegen,
  {
    name: "audit",
    description: "Audit records: exported, and verified by anyone.",
    commands: [auditExport, auditVerify],
  },
];

/** The program and everything below it. */
const withSubcommands = (command: Command): readonly Command[] => [
  command,
  ...command.commands.flatMap(withSubcommands),
];

/** Runs one command line, without the name of the program. */
export const runCommand = async (args: readonly string[], around: Surroundings): Promise<ExitCode> => {
  let code: ExitCode = 0;
  const ended = (with_: ExitCode): void => void (code = with_);
  const program = new Command("ikg").description("The command line of IKG.");
  for (const each of commands) {
    if (typeof each === "function") {
      each(program, around, ended);
      continue;
    }
    const group = program.command(each.name).description(each.description);
    for (const add of each.commands) add(group, around, ended);
  }
  for (const each of withSubcommands(program))
    each.exitOverride().configureOutput({
      writeOut: (text) => around.out(text),
      writeErr: (text) => around.error(text),
    });
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof CommandFault)) throw error;
    around.error(`${error.message}\n`);
    return 2;
  }
};
