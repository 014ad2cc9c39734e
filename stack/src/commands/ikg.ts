/** npm run ikg: the command line of the product (docs/audit.md), in the folder that npm was called in. */
import { runCommand } from "../command.ts";
import { runProgramOfOurs } from "../program-of-ours.ts";
import { inRepository } from "../repository.ts";

await runCommand(() =>
  runProgramOfOurs(
    inRepository("apps", "cli", "src", "main.ts"),
    process.argv.slice(2),
    process.env["INIT_CWD"],
  ),
);
