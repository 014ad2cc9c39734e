import { Command, CommanderError } from "commander";
import { auditExport } from "./audit/export.ts";
import { auditVerify } from "./audit/verify.ts";
import { CommandFault, type ExitCode, type Surroundings } from "./surroundings.ts";

/** Runs one command line, without the name of the program. */
export const runCommand = async (args: readonly string[], around: Surroundings): Promise<ExitCode> => {
  let code: ExitCode = 0;
  const ended = (with_: ExitCode): void => void (code = with_);
  const program = new Command("ikg").description("The command line of IKG.");
  const audit = program.command("audit").description("Audit records: exported, and verified by anyone.");
  auditExport(audit, around, ended);
  auditVerify(audit, around, ended);
  for (const each of [program, audit, ...audit.commands])
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
