/** npm run check: types, lint, import directions and formatting, without a database. */
import { say } from "../../launch/progress.mjs";
import { runCommand } from "../command.ts";
import { watchInterruption } from "../interruption.ts";
import { checks, runCheck } from "../testing/runner/checks.ts";
import { add, formatCounts, none, one } from "../testing/runner/counts.ts";

await runCommand(async () => {
  const { signal } = watchInterruption();
  let counts = none;
  for (const check of checks) if (!signal.aborted) counts = add(counts, one(await runCheck(check, signal)));
  say(formatCounts(counts));
  return counts.failed === 0 && !signal.aborted ? 0 : 1;
});
