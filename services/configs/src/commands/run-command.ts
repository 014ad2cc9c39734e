import { StartError } from "@ikg/service";

/** Writes lines to standard error, each with the name of the command. */
export const sayAs =
  (command: string) =>
  (line: string): void =>
    void process.stderr.write(`${command}: ${line}\n`);

/**
 * Runs a command of an operator. Errors go to standard error, one line each, without a stack.
 *
 * @param failureCode the exit code then.
 */
export const runCommand = async (
  name: string,
  work: () => Promise<void>,
  failureCode: 1 | 2 = 1,
): Promise<void> => {
  try {
    await work();
  } catch (error) {
    const lines =
      error instanceof StartError ? error.lines : [error instanceof Error ? error.message : String(error)];
    for (const line of lines) sayAs(name)(line);
    process.exitCode = failureCode;
  }
};
