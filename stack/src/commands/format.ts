/** npm run format: writes every file the way the formatting check wants it. */
import { UserError } from "../../launch/user-error.mjs";
import { step } from "../../launch/progress.mjs";
import { runProgram } from "../../launch/run-program.mjs";
import { runCommand } from "../command.ts";
import { repository } from "../repository.ts";
import { programFile } from "../testing/runner/checks.ts";

const oxfmt = async (...args: readonly string[]): Promise<readonly string[]> => {
  const lines: string[] = [];
  const { code, tail } = await runProgram(process.execPath, [programFile("oxfmt", "oxfmt"), ...args], {
    cwd: repository,
    onLine: (line) => lines.push(line),
  });
  // The list of files ends with 1 if it names any.
  if (code !== 0 && (args[0] !== "--list-different" || code !== 1)) throw new UserError(tail.join("\n"));
  return lines;
};

await runCommand(async () => {
  const given = process.argv.slice(2);
  const paths = given.length > 0 ? given : ["."];
  await step(
    "formatted",
    async () => {
      const wrong = await oxfmt("--list-different", ...paths);
      if (wrong.length > 0) await oxfmt("--write", ...paths);
      return wrong.length;
    },
    (changed) => `formatted, ${changed} changed`,
  );
  return 0;
});
