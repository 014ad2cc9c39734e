import { runProgram } from "../src/program/run-program.ts";
import { type ExitCode, noTerminal, type CommandEnvironment } from "../src/command-environment.ts";

/** The environment of a command without a terminal. */
export const silentEnvironment = (given: Partial<CommandEnvironment> = {}): CommandEnvironment => ({
  ...noTerminal,
  cwd: process.cwd(),
  ...given,
});

export interface CommandRun {
  readonly code: ExitCode;
  readonly output: string;
  readonly errors: string;
}

/** Runs one command line in this process. */
export const runIkg = async (
  args: readonly string[],
  given: Partial<CommandEnvironment> = {},
): Promise<CommandRun> => {
  let [output, errors] = ["", ""];
  const code = await runProgram(
    args,
    silentEnvironment({
      out: (text) => void (output += text),
      error: (text) => void (errors += text),
      ...given,
    }),
  );
  return { code, output, errors };
};
