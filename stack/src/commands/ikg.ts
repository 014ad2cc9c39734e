/**
 * npm run ikg: the command line of the product (docs/cli.md), in the folder that npm was called in. `backup` and `restore` need
 * the database of the deployment, so they are commands of the suite and not of the published package.
 */
import { runCommand } from "../command.ts";
import { runNodeScript } from "../run-node-script.ts";
import { inRepository } from "../repository.ts";

const ofDeployments: ReadonlySet<string> = new Set(["backup", "restore"]);

await runCommand(() => {
  const [name = "", ...rest] = process.argv.slice(2);
  return ofDeployments.has(name)
    ? runNodeScript(inRepository("services", "configs", "src", `${name}.ts`), rest, process.env["INIT_CWD"])
    : runNodeScript(
        inRepository("apps", "cli", "src", "main.ts"),
        process.argv.slice(2),
        process.env["INIT_CWD"],
      );
});
