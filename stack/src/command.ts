/** How every command ends: exit code 0, or one line and another code. */
import { inspect } from "node:util";
import { say } from "../launch/progress.mjs";
import { UserError } from "../launch/user-error.mjs";

/** Interrupted before the work was done; no further message. */
export class Interrupted extends Error {}

/** Runs the command and ends this process with its exit code. */
export const runCommand = async (
  work: () => Promise<number>,
  complain: (text: string) => void = (text) => console.error(text),
): Promise<never> => {
  try {
    process.exit(await work());
  } catch (error) {
    if (error instanceof Interrupted) {
      say("Stopped.");
      process.exit(130);
    }
    complain(error instanceof UserError ? error.message : inspect(error));
    process.exit(1);
  }
};
