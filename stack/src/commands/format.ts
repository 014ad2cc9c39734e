/** npm run format: writes every file the way the formatting check wants it. */
import { Refusal } from "../../launch/refusal.mjs";
import { step } from "../../launch/progress.mjs";
import { runProgram } from "../../launch/run-program.mjs";
import { runCommand } from "../command.ts";
import { repository } from "../repository.ts";
import { programFile } from "../testing/checks.ts";

await runCommand(async () => {
  const args = [programFile("prettier", "prettier"), "--write", "--list-different", "--log-level", "warn"];
  const paths = process.argv.slice(2);
  await step(
    "formatted",
    async () => {
      let changed = 0;
      const { code, tail } = await runProgram(
        process.execPath,
        [...args, ...(paths.length > 0 ? paths : ["."])],
        {
          cwd: repository,
          onLine: () => changed++,
        },
      );
      if (code !== 0) throw new Refusal(tail.join("\n"));
      return changed;
    },
    (changed) => `formatted, ${changed} changed`,
  );
  return 0;
});
