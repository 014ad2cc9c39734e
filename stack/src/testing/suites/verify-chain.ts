/** The audit chain of a project, verified as an auditor does it: with the command line. */
import { runProgram } from "../../../launch/run-program.mjs";
import { inRepository } from "../../repository.ts";

/**
 * Runs `ikg audit verify`.
 *
 * @param credential the variable of the command line that has one
 */
export const verifyChain = async (
  url: string,
  project: string,
  credential: Readonly<Record<string, string>>,
): Promise<{ readonly isVerified: boolean; readonly output: string }> => {
  const program = inRepository("apps", "cli", "src", "main.ts");
  const args = [program, "audit", "verify", "--project", project];
  const env = { ...process.env, NODE_OPTIONS: "", IKG_URL: url, ...credential };
  const { code, tail } = await runProgram(process.execPath, args, { env });
  const output = tail.join(" ");
  return { isVerified: code === 0 && output.includes("Verified: "), output };
};
