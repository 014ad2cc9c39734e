/** The suite behind a proxy as docs/operations.md says: first without `TRUSTED_PROXIES`, then with it. */
import { inspect } from "node:util";
import { step } from "../../../launch/progress.mjs";
import { UserError } from "../../../launch/user-error.mjs";
import { Interrupted } from "../../command.ts";
import { add, type Counts, none } from "../runner/counts.ts";
import { type LoadProject, makeLoadProject, removeLoadProject, warm } from "./load.ts";
import type { ProxiedSuite, ProxySettings } from "./proxied-suite.ts";
import { checkLimits, checkLog, checkRecords, checkUrls, testSettings } from "./proxy-addresses.ts";
import { checkDisconnection, checkLargeBody, checkStreams } from "./proxy-traffic.ts";
import { verdict } from "./verdict.ts";

/** Checks by their titles. */
type Checks = Readonly<Record<string, (suite: ProxiedSuite, project: LoadProject) => Promise<Counts>>>;

const addressChecks = (isTrusted: boolean): Checks => ({
  "addresses in audit records": (suite, project) => checkRecords(suite, project, isTrusted),
  "addresses in the log": (suite, project) => checkLog(suite, project, isTrusted),
  "limits of addresses": (suite) => checkLimits(suite, isTrusted),
});

const trafficChecks: Checks = {
  "a large body": checkLargeBody,
  "an import and an export": checkStreams,
  "a client that disconnects": checkDisconnection,
  "URLs in answers": checkUrls,
};

/** Does one thing, whose error fails it alone. @throws Interrupted */
const guard = async (
  { signal }: ProxiedSuite,
  title: string,
  work: () => Promise<Counts>,
): Promise<Counts> => {
  if (signal.aborted) throw new Interrupted();
  try {
    return await work();
  } catch (error) {
    if (error instanceof Interrupted || signal.aborted) throw new Interrupted();
    return verdict(false, `${title}: ${error instanceof UserError ? error.message : inspect(error)}`);
  }
};

/** Starts the suite with these settings, and checks it. */
const checkWith = (
  suite: ProxiedSuite,
  project: LoadProject,
  title: string,
  settings: ProxySettings,
  checks: Checks,
): Promise<Counts> =>
  guard(suite, title, async () => {
    await step(title, () => suite.apply({ ...testSettings, ...settings }));
    await step("load until nothing fails", () => warm(suite.environment, project));
    let counts = none;
    for (const [name, check] of Object.entries(checks))
      counts = add(counts, await guard(suite, name, () => check(suite, project)));
    return counts;
  });

/** Leaves the suite with the settings of the checks: the caller puts those of before back. */
export const checkBehindProxy = async (suite: ProxiedSuite): Promise<Counts> => {
  const { environment, settings, signal } = suite;
  const project = await makeLoadProject(environment, "proxy");
  try {
    return add(
      await checkWith(
        suite,
        project,
        "the suite behind a proxy that it does not trust",
        { ...settings, TRUSTED_PROXIES: "" },
        addressChecks(false),
      ),
      await checkWith(suite, project, "the suite behind a proxy that it trusts", settings, {
        ...addressChecks(true),
        ...trafficChecks,
      }),
    );
  } finally {
    // After an interruption the suite may not answer, and goes with all its projects.
    if (!signal.aborted) await removeLoadProject(environment, project);
  }
};
