/**
 * npm run test:containers: integration tests on stores of Testcontainers, then the suite in containers, asked by the
 * end-to-end tests; removes what it started.
 */
import { say } from "../../launch/progress.mjs";
import { UserError } from "../../launch/user-error.mjs";
import { Interrupted, runCommand } from "../command.ts";
import { removeAbandoned } from "../containers/abandoned.ts";
import { checkDevelopment } from "../containers/development.ts";
import { prepareEngine } from "../containers/engine.ts";
import { checkFigures } from "../containers/figures.ts";
import { integrationOf, runOnTestcontainers } from "../containers/integration.ts";
import { checkMemory } from "../containers/memory.ts";
import { checkOperator } from "../containers/operator.ts";
import { checkObservability } from "../containers/observability.ts";
import { runPack } from "../containers/pack.ts";
import { checkProxy } from "../containers/proxy.ts";
import { checkReplicas } from "../containers/replicas.ts";
import { checkRestore } from "../containers/restore.ts";
import type { ContainerSession } from "../containers/session.ts";
import { withContainers } from "../containers/session.ts";
import { checkThroughput } from "../containers/throughput.ts";
import { checkUpgrade } from "../containers/upgrade.ts";
import type { Home } from "../home.ts";
import { shortPath } from "../home.ts";
import { type Interruption, watchInterruption } from "../interruption.ts";
import { keptLogs, makeScratch } from "../scratch.ts";
import { readOrMakeSecrets } from "../secrets.ts";
import type { Counts } from "../testing/runner/counts.ts";
import { none, one } from "../testing/runner/counts.ts";
import { partsHelp, printedHelp } from "../testing/runner/help.ts";
import { checkLogs } from "../testing/runner/secrets-in-logs.ts";
import type { Selection } from "../testing/runner/selection.ts";
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
  type Tally,
  summaryCounts,
} from "../testing/runner/tally.ts";

/** Parts that may be selected besides test files, in the order in which they run; the last one restarts the suite. */
const parts: Readonly<
  Record<string, (session: ContainerSession, home: Home, interruption: Interruption) => Promise<Counts>>
> = {
  figures: ({ healthyMs }) => checkFigures(healthyMs),
  throughput: (session, _home, interruption) => checkThroughput(session, interruption),
  replicas: checkReplicas,
  observability: checkObservability,
  development: checkDevelopment,
  operator: checkOperator,
  proxy: checkProxy,
  memory: checkMemory,
  restore: (session, home) => checkRestore(home, session),
};

/** The part that starts a suite of its own, of former services. */
const upgrade = "upgrade";
const partNames = [...Object.keys(parts), upgrade];

/** Without a name all of them run. */
const chosenParts = (name: string | undefined, named: readonly string[]): readonly string[] =>
  name === undefined ? partNames : named;

/** Before a name, or alone: end-to-end tests on stores of Testcontainers as well, and nothing on compose. */
const onTestcontainers = "testcontainers";

const inContainers = async (
  { e2e, testName }: Selection,
  chosen: readonly string[],
  interruption: Interruption,
): Promise<Tally> => {
  const { signal } = interruption;
  if (e2e.length + chosen.length === 0) return emptyTally;
  const onSuite = chosen.filter((name) => name !== upgrade);
  const scratch = await makeScratch();
  let tally = emptyTally;
  try {
    if (e2e.length + onSuite.length > 0)
      await withContainers(scratch.home, signal, async (session) => {
        if (e2e.length > 0)
          tally = addTallies(
            tally,
            summaryCounts(await runPack(scratch.home, { ...session, signal }, e2e, testName)),
          );
        for (const name of onSuite)
          if (!signal.aborted)
            tally = addTallies(
              tally,
              requestedCounts((await parts[name]?.(session, scratch.home, interruption)) ?? none),
            );
      });
    if (chosen.includes(upgrade) && !signal.aborted)
      tally = addTallies(tally, requestedCounts(await checkUpgrade(scratch.home, signal)));
    tally = addTallies(tally, additionalCounts(checkLogs(scratch.home, readOrMakeSecrets(scratch.home))));
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    console.error(error instanceof UserError ? error.message : error);
    tally = addTallies(tally, additionalCounts(one(false)));
  } finally {
    scratch.remove(failedIn(tally));
  }
  if (failedIn(tally)) say(`Logs of the containers: ${shortPath(keptLogs)}`);
  return tally;
};

await runCommand(async () => {
  const words = process.argv.slice(2);
  if (printedHelp(words, partsHelp("test:containers", partNames))) return 0;
  const interruption = watchInterruption();
  const { signal } = interruption;
  const onStores = words[0] === onTestcontainers;
  const name = words.slice(onStores ? 1 : 0).join(" ") || undefined;
  const isParts = !onStores && name !== undefined && words.every((word) => partNames.includes(word));
  const selection = isParts ? nothingSelected : select(name, findTestFiles(), isLongRun());
  const { alone, files, e2e, testName } = integrationOf(selection);
  const integration = { alone, files, e2e: onStores ? selection.e2e : e2e, testName };
  const chosen = onStores ? [] : chosenParts(name, isParts ? words : []);
  const unknown = nothingMatched(words, "part, test file or test of the suite in containers");
  const count = alone.length + files.length + selection.e2e.length + chosen.length;
  if (count === 0) return conclude(emptyTally, unknown);
  await prepareEngine(signal);
  await removeAbandoned();
  let tally = await runOnTestcontainers(integration, interruption);
  if (signal.aborted) throw new Interrupted();
  if (!onStores) tally = addTallies(tally, await inContainers(selection, chosen, interruption));
  return conclude(tally, unknown);
});
