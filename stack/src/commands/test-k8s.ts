/** npm run test:k8s: the suite in a Kubernetes cluster, asked by the end-to-end tests; removes what it made. */
import { say } from "../../launch/progress.mjs";
import { Refusal } from "../../launch/refusal.mjs";
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
import { one } from "../testing/counts.ts";
import { checkLogs } from "../testing/secrets-in-logs.ts";
import { findTestFiles, select } from "../testing/selection.ts";
import {
  addTallies,
  askedFor,
  conclude,
  emptyTally,
  failedIn,
  lookedAt,
  nothingLike,
  tested,
} from "../testing/tally.ts";

/** Parts that a name may choose besides test files. */
const parts = new Set(["overlays", "resilience"]);

await runCommand(async () => {
  const { signal } = watchInterruption();
  const words = process.argv.slice(2);
  const name = words.join(" ") || undefined;
  const wanted = (part: string): boolean => name === undefined || name === part;
  const isPart = name !== undefined && parts.has(name);
  const { e2e, testName } = isPart ? { e2e: [], testName: undefined } : select(name, findTestFiles());
  const unknown = nothingLike(words, "part, end-to-end test file or test of one");
  if (!isPart && e2e.length === 0) return conclude(emptyTally, unknown);
  await prepareEngine(signal);
  await buildImages(signal);
  const scratch = await makeScratch();
  const cluster = await openCluster(signal);
  let tally = emptyTally;
  try {
    if (wanted("overlays")) tally = addTallies(tally, askedFor(await checkOverlays(cluster)));
    if (name !== "overlays") {
      await cluster.load(imagesOfPods);
      await withDeployment(scratch.home, cluster, async (session) => {
        if (e2e.length > 0)
          tally = addTallies(
            tally,
            tested(await runPack(scratch.home, { ...session, signal }, e2e, testName)),
          );
        if (wanted("resilience") && !signal.aborted)
          tally = addTallies(tally, askedFor(await checkResilience(session)));
      });
      tally = addTallies(tally, lookedAt(checkLogs(scratch.home, readOrMakeSecrets(scratch.home))));
    }
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    console.error(error instanceof Refusal ? error.message : error);
    tally = addTallies(tally, lookedAt(one(false)));
  } finally {
    await cluster.remove();
    scratch.remove(failedIn(tally));
  }
  if (failedIn(tally)) say(`Logs of the pods: ${shortPath(keptLogs)}`);
  return conclude(tally, unknown);
});
