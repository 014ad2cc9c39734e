/** The suite behind a proxy as docs/operations.md says: first without `TRUSTED_PROXIES`, then with it. */
import { step } from "../../launch/progress.mjs";
import { add, type Counts, none } from "./counts.ts";
import { type LoadProject, makeLoadProject, removeLoadProject, warm } from "./load.ts";
import type { ProxiedSuite } from "./proxied-suite.ts";
import { checkedSettings, checkLimits, checkRecords, checkUrls } from "./proxy-addresses.ts";
import { checkDisconnection, checkKeptConnection, checkLargeBody, checkStreams } from "./proxy-traffic.ts";

const checkAddresses = async (
  suite: ProxiedSuite,
  project: LoadProject,
  isTrusted: boolean,
): Promise<Counts> => add(await checkRecords(suite, project, isTrusted), await checkLimits(suite, isTrusted));

/** Leaves the suite with the settings of the checks: the caller puts those of before back. */
export const checkBehindProxy = async (suite: ProxiedSuite): Promise<Counts> => {
  const { environment, settings } = suite;
  const project = await makeLoadProject(environment, "proxy");
  const apply = async (title: string, chosen: Readonly<Record<string, string>>): Promise<void> => {
    await step(title, () => suite.apply({ ...checkedSettings, ...chosen }));
    await step("load until nothing fails", () => warm(environment, project));
  };
  let counts: Counts = none;
  try {
    await apply("the suite behind a proxy that it does not trust", { ...settings, TRUSTED_PROXIES: "" });
    counts = add(counts, await checkAddresses(suite, project, false));
    await apply("the suite behind a proxy that it trusts", { ...settings });
    counts = add(counts, await checkAddresses(suite, project, true));
    for (const check of [checkLargeBody, checkStreams, checkKeptConnection, checkDisconnection, checkUrls])
      counts = add(counts, await check(suite, project));
  } finally {
    await removeLoadProject(environment, project);
  }
  return counts;
};
