/** npm run reseal: seals the secrets of all records with the current key (docs/operations.md, "Resealing"). */
import { runCommand } from "../command.ts";
import { runNodeScript } from "../run-node-script.ts";
import { inRepository } from "../repository.ts";

await runCommand(() =>
  runNodeScript(inRepository("services", "configs", "src", "reseal.ts"), process.argv.slice(2)),
);
