/** npm run reseal: seals the secrets of all records with the current key (docs/api.md, "Secrets"). */
import { runCommand } from "../command.ts";
import { runProgramOfOurs } from "../program-of-ours.ts";
import { inRepository } from "../repository.ts";

await runCommand(() =>
  runProgramOfOurs(inRepository("services", "configs", "src", "reseal.ts"), process.argv.slice(2)),
);
