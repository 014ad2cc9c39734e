import { runProgram } from "../src/program/run-program.ts";
import { type ExitCode, nowhere, type Surroundings } from "../src/surroundings.ts";

/** Surroundings of a command without a terminal. */
export const silentSurroundings = (given: Partial<Surroundings> = {}): Surroundings => ({
  ...nowhere,
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
  given: Partial<Surroundings> = {},
): Promise<CommandRun> => {
  let [output, errors] = ["", ""];
  const code = await runProgram(
    args,
    silentSurroundings({
      out: (text) => void (output += text),
      error: (text) => void (errors += text),
      ...given,
    }),
  );
  return { code, output, errors };
};
