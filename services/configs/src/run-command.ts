import { StartError } from "@ikg/service";

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
    for (const line of lines) process.stderr.write(`${name}: ${line}\n`);
    process.exitCode = failureCode;
  }
};
