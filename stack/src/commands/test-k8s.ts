/** npm run test:k8s: the suite in a Kubernetes cluster, asked by the end-to-end tests; removes what it made. */
import { say } from "../../launch/progress.mjs";
import { Refusal } from "../../launch/refusal.mjs";
import { claimHome } from "../claim.ts";
import { Interrupted, runCommand } from "../command.ts";
import { prepareEngine } from "../containers/engine.ts";
import { buildImages } from "../containers/images.ts";
import { runPack } from "../containers/pack.ts";
import { shortPath } from "../home.ts";
import { watchInterruption } from "../interruption.ts";
import { openCluster } from "../kubernetes/cluster.ts";
import { checkOverlays } from "../kubernetes/overlays.ts";
import { checkResilience } from "../kubernetes/resilience.ts";
import { imagesOfPods, withDeployment } from "../kubernetes/session.ts";
import { keptLogs, makeScratch } from "../scratch.ts";
import { readOrMakeSecrets } from "../secrets.ts";
import type { Counts } from "../testing/counts.ts";
import { add, formatCounts, none, one } from "../testing/counts.ts";
import { checkLogs } from "../testing/secrets-in-logs.ts";
import { findTestFiles, select } from "../testing/selection.ts";

/** Parts that a name may choose besides test files. */
const parts = new Set(["overlays", "resilience"]);

await runCommand(async () => {
  const { signal } = watchInterruption();
  const name = process.argv.slice(2).join(" ") || undefined;
  const wanted = (part: string): boolean => name === undefined || name === part;
  const isPart = name !== undefined && parts.has(name);
  const { e2e, testName } = isPart ? { e2e: [], testName: undefined } : select(name, findTestFiles());
  await prepareEngine(signal);
  await buildImages(signal);
  const scratch = await makeScratch();
  // Unclaimed, another run of tests would take it for left behind.
  await claimHome(scratch.home, undefined);
  const cluster = await openCluster(signal);
  let counts: Counts = none;
  try {
    if (wanted("overlays")) counts = add(counts, await checkOverlays(cluster));
    if (name !== "overlays") {
      await cluster.load(imagesOfPods);
      await withDeployment(scratch.home, cluster, async (session) => {
        if (e2e.length > 0)
          counts = add(counts, await runPack(scratch.home, { ...session, signal }, e2e, testName));
        if (wanted("resilience") && !signal.aborted) counts = add(counts, await checkResilience(session));
      });
      counts = add(counts, checkLogs(scratch.home, readOrMakeSecrets(scratch.home)));
    }
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    console.error(error instanceof Refusal ? error.message : error);
    counts = add(counts, one(false));
  } finally {
    await cluster.remove();
    scratch.remove(counts.failed > 0);
  }
  if (counts.failed > 0) say(`Logs of the pods: ${shortPath(keptLogs)}`);
  say(formatCounts(counts));
  return counts.failed > 0 ? 1 : 0;
});
