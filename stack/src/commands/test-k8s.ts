/** npm run test:k8s: the suite in a Kubernetes cluster, asked by the end-to-end tests; removes what it made. */
import { say } from "../../launch/progress.mjs";
import { UserError } from "../../launch/user-error.mjs";
import { Interrupted, runCommand } from "../command.ts";
import { prepareEngine } from "../containers/engine.ts";
import { buildImages } from "../containers/images.ts";
import { runPack } from "../containers/pack.ts";
import { type Home, shortPath } from "../home.ts";
import { watchInterruption } from "../interruption.ts";
import { openCluster, type TestCluster } from "../kubernetes/cluster.ts";
import { checkHelmRestore } from "../kubernetes/helm-restore.ts";
import { checkHelm } from "../kubernetes/helm.ts";
import { checkInternalTls } from "../kubernetes/internal-tls.ts";
import { checkMemory } from "../kubernetes/memory.ts";
import { checkOverlays } from "../kubernetes/overlays.ts";
import { checkProxy } from "../kubernetes/proxy.ts";
import { checkResilience } from "../kubernetes/resilience.ts";
import { checkRestore } from "../kubernetes/restore.ts";
import { checkRotation } from "../kubernetes/rotate-keys.ts";
import { imagesOfPods, type KubernetesSession, withDeployment } from "../kubernetes/session.ts";
import { checkStore } from "../kubernetes/store.ts";
import { checkTrust } from "../kubernetes/trust.ts";
import { checkUpgrade } from "../kubernetes/upgrade.ts";
import { checkUsage } from "../kubernetes/usage.ts";
import { keptLogs, makeScratch } from "../scratch.ts";
import { readOrMakeSecrets } from "../secrets.ts";
import { type Counts, none, one } from "../testing/runner/counts.ts";
import { partsHelp, printedHelp } from "../testing/runner/help.ts";
import { checkLogs } from "../testing/runner/secrets-in-logs.ts";
import { findTestFiles, nothingSelected, select } from "../testing/runner/selection.ts";
import { isLongRun } from "../testing/test-environment.ts";
import {
  addTallies,
  requestedCounts,
  conclude,
  emptyTally,
  failedIn,
  additionalCounts,
  nothingMatched,
  summaryCounts,
} from "../testing/runner/tally.ts";

/** Parts that may be selected besides test files, in the order in which they run on a deployment; the last one redeploys. */
const parts: Readonly<Record<string, (session: KubernetesSession) => Promise<Counts>>> = {
  usage: checkUsage,
  "private-ca": checkTrust,
  "internal-tls": checkInternalTls,
  proxy: checkProxy,
  resilience: checkResilience,
  store: checkStore,
  memory: checkMemory,
  "rotate-keys": checkRotation,
  restore: checkRestore,
};

/** The part that deploys nothing. */
const overlays = "overlays";
/** Parts with deployments of their own: by Helm, and of former services. */
const ownDeployments: Readonly<Record<string, (cluster: TestCluster, home: Home) => Promise<Counts>>> = {
  "helm-restore": checkHelmRestore,
  helm: checkHelm,
  upgrade: checkUpgrade,
};
const partNames = [overlays, ...Object.keys(ownDeployments), ...Object.keys(parts)];

await runCommand(async () => {
  const words = process.argv.slice(2);
  if (printedHelp(words, partsHelp("test:k8s", partNames))) return 0;
  const { signal } = watchInterruption();
  const name = words.join(" ") || undefined;
  const areParts = words.length > 0 && words.every((word) => partNames.includes(word));
  const wanted = (part: string): boolean => name === undefined || (areParts && words.includes(part));
  const chosen = Object.keys(parts).filter(wanted);
  const { e2e, testName } = areParts ? nothingSelected : select(name, findTestFiles(), isLongRun());
  const unknown = nothingMatched(words, "part, end-to-end test file or test of one");
  if (!areParts && e2e.length === 0) return conclude(emptyTally, unknown);
  await prepareEngine(signal);
  await buildImages(signal);
  const scratch = await makeScratch();
  const cluster = await openCluster(signal);
  let tally = emptyTally;
  try {
    if (wanted(overlays)) tally = addTallies(tally, requestedCounts(await checkOverlays(cluster)));
    const isDeployed = chosen.length + e2e.length > 0;
    const chosenOwn = Object.keys(ownDeployments).filter(wanted);
    const hasPods = isDeployed || chosenOwn.length > 0;
    if (hasPods) await cluster.load(imagesOfPods);
    if (isDeployed)
      await withDeployment(scratch.home, cluster, async (session) => {
        if (e2e.length > 0)
          tally = addTallies(
            tally,
            summaryCounts(await runPack(scratch.home, { ...session, signal }, e2e, testName)),
          );
        for (const part of chosen)
          if (!signal.aborted)
            tally = addTallies(tally, requestedCounts((await parts[part]?.(session)) ?? none));
      });
    for (const part of chosenOwn)
      if (!signal.aborted)
        tally = addTallies(
          tally,
          requestedCounts((await ownDeployments[part]?.(cluster, scratch.home)) ?? none),
        );
    if (hasPods)
      tally = addTallies(tally, additionalCounts(checkLogs(scratch.home, readOrMakeSecrets(scratch.home))));
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    console.error(error instanceof UserError ? error.message : error);
    tally = addTallies(tally, additionalCounts(one(false)));
  } finally {
    await cluster.remove();
    scratch.remove(failedIn(tally));
  }
  if (failedIn(tally)) say(`Logs of the pods: ${shortPath(keptLogs)}`);
  return conclude(tally, unknown);
});
