/** npm stop: ends the suite of IKG_HOME. */
import { say, step } from "../../launch/progress.mjs";
import { UserError } from "../../launch/user-error.mjs";
import { readClaim } from "../claim.ts";
import { runCommand } from "../command.ts";
import { openHome, shortPath } from "../home.ts";
import { parseSwitches } from "../options.ts";
import { signalProcess, waitForEnd } from "../processes/end.ts";
import { endOrphans } from "../processes/orphans.ts";

const timeoutMs = 120_000;

await runCommand(async () => {
  parseSwitches(process.argv.slice(2), []);
  const home = openHome(process.env["IKG_HOME"] || ".ikg");
  const where = shortPath(home.root);
  const claim = readClaim(home);
  if (claim)
    await step(
      "stopping",
      async () => {
        signalProcess(claim.owner, "SIGTERM", false);
        if (!(await waitForEnd(claim.owner, timeoutMs)))
          throw new UserError(`Process ${claim.owner.pid} does not end. Logs: ${shortPath(home.logs)}`);
      },
      () => `stopped; the data stays in ${where}`,
    );
  const orphans = await endOrphans(home);
  if (orphans.length > 0) say(`Ended what a killed run had left: ${orphans.join(", ")}.`);
  if (!claim && orphans.length === 0) say(`Nothing runs in ${where}.`);
  return 0;
});
