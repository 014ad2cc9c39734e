import { CommanderError } from "commander";
import { commandSections } from "../commands/index.ts";
import type { ExitCode, CommandEnvironment } from "../command-environment.ts";
import { buildProgram } from "./build-program.ts";
import { describeError } from "./describe-error.ts";

/** Without empty variables: CI sets those of missing secrets, which count as absent. */
const withoutEmptyVariables = (environment: CommandEnvironment): CommandEnvironment => {
  const set = Object.entries(environment.variables).filter(
    // The value of a secret of `ikg apply` may be empty.
    ([name, value]) => value !== "" || !/^(IKG|XDG)_/.test(name),
  );
  return { ...environment, variables: Object.fromEntries(set) };
};

/** Runs one command line, without the name of the program. */
export const runProgram = async (
  args: readonly string[],
  environment: CommandEnvironment,
): Promise<ExitCode> => {
  let code: ExitCode = 0;
  const program = buildProgram({
    sections: commandSections,
    environment: withoutEmptyVariables(environment),
    ended: (exitCode) => void (code = exitCode),
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    environment.error(`error: ${describeError(error, environment.variables["IKG_DEBUG"] === "1")}\n`);
    return 2;
  }
};
