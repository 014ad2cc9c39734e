/** npm run test:containers: the suite in containers, asked by the end-to-end tests; removes what it started. */
import { say } from "../../launch/progress.mjs";
import { Refusal } from "../../launch/refusal.mjs";
import { claimHome } from "../claim.ts";
import { Interrupted, runCommand } from "../command.ts";
import { prepareEngine } from "../containers/engine.ts";
import { runPack } from "../containers/pack.ts";
import { checkReplicas } from "../containers/replicas.ts";
import { withContainers } from "../containers/session.ts";
import { shortPath } from "../home.ts";
import { watchInterruption } from "../interruption.ts";
import { keptLogs, makeScratch } from "../scratch.ts";
import { readOrMakeSecrets } from "../secrets.ts";
import type { Counts } from "../testing/counts.ts";
import { add, formatCounts, none, one } from "../testing/counts.ts";
import { checkLogs } from "../testing/secrets-in-logs.ts";
import { findTestFiles, select } from "../testing/selection.ts";

/** Parts that a name may choose besides test files. */
const parts = new Set(["replicas"]);

await runCommand(async () => {
  const { signal } = watchInterruption();
  const name = process.argv.slice(2).join(" ") || undefined;
  const isPart = name !== undefined && parts.has(name);
  const nothing = { e2e: [], testName: undefined };
  const { e2e, testName } = isPart ? nothing : select(name, findTestFiles());
  const wanted = (part: string): boolean => (name === undefined || name === part) && !signal.aborted;
  await prepareEngine(signal);
  const scratch = await makeScratch();
  // Unclaimed, another run of tests would take it for left behind.
  await claimHome(scratch.home, undefined);
  let counts: Counts = none;
  try {
    await withContainers(scratch.home, signal, async (session) => {
      if (e2e.length > 0)
        counts = add(counts, await runPack(scratch.home, { ...session, signal }, e2e, testName));
      if (wanted("replicas")) counts = add(counts, await checkReplicas(session));
    });
    counts = add(counts, checkLogs(scratch.home, readOrMakeSecrets(scratch.home)));
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    console.error(error instanceof Refusal ? error.message : error);
    counts = add(counts, one(false));
  } finally {
    scratch.remove(counts.failed > 0);
  }
  if (counts.failed > 0) say(`Logs of the containers: ${shortPath(keptLogs)}`);
  say(formatCounts(counts));
  return counts.failed > 0 ? 1 : 0;
});
