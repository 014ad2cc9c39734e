/** The Helm chart on a real cluster: installed with stores inside, and with stores outside, upgraded, rolled back, uninstalled. */
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { say, step } from "../../launch/progress.mjs";
import type { ClientEnvironment } from "../environment.ts";
import type { Home } from "../home.ts";
import { decide, fill, foreign, own } from "../testing/suites/authorship.ts";
import { add, type Counts } from "../testing/runner/counts.ts";
import {
  describeLoad,
  failed,
  type LoadProject,
  loadWhile,
  makeLoadProject,
  warm,
} from "../testing/suites/load.ts";
import { verdict } from "../testing/suites/verdict.ts";
import {
  environmentOf,
  longStarts,
  removeNamespaces,
  stateOf,
  storesInside,
  storesOutside,
  type Variant,
} from "./helm-variants.ts";
import { type Cluster, kubectl } from "./kubectl.ts";
import { objectsLeft, openRelease, type Release } from "./release.ts";
import { describeUnready, keepLogs } from "./session.ts";

const before = { level: "http", replicas: 2 };
const after = { level: "warn", replicas: 3 };

/** A policy takes effect within two seconds. */
const effectMs = 20_000;
const pollMs = 200;
/** Until replicas of before have ended. */
const settleMs = 10_000;

/** A setting of all services, and the replicas of one. */
const chosen = ({ level, replicas }: typeof before, { values }: Variant): object => ({
  ...longStarts,
  ...values,
  settings: { ...longStarts.settings, ...values["settings"], LOG_LEVEL: level },
  services: { audit: { autoscaling: { enabled: false }, replicas } },
});

/** Whether the author may read the own document, and not the other one. A node opens the port some time after the installation. */
const decides = async (environment: ClientEnvironment, project: LoadProject): Promise<boolean> => {
  for (const until = performance.now() + effectMs; performance.now() < until; await delay(pollMs)) {
    const [ofOwn, ofForeign] = await decide(environment, project, [own, foreign]).catch(() => []);
    if (ofOwn === true) return ofForeign === false;
  }
  return false;
};

/** Installs, upgrades under load, rolls back, uninstalls and installs again: secrets and data are those of the beginning. */
const live = async (cluster: Cluster, release: Release, variant: Variant): Promise<Counts> => {
  const { name } = variant;
  const install = (title: string) =>
    step(title, () => release.install(chosen(before, variant))).catch(async (error: unknown) => {
      await describeUnready(cluster);
      throw error;
    });
  await variant.prepare();
  await install(`helm install with ${name}`);
  const environment = await environmentOf(cluster);
  const project = await makeLoadProject(environment, "helm");
  await fill(environment, project);
  const first = await stateOf(cluster);
  const installed = verdict(
    (await decides(environment, project)) &&
      first.level === before.level &&
      first.replicas === before.replicas,
    `installed with ${name}: it decides`,
  );

  await step("load until nothing fails", () => warm(environment, project));
  const underLoad = (title: string, replace: () => Promise<void>) =>
    step(`${title} under load`, () =>
      loadWhile(environment, project, async () => {
        await replace();
        await delay(settleMs);
      }),
    );
  const during = await underLoad("helm upgrade", () => release.upgrade(chosen(after, variant)));
  const second = await stateOf(cluster);
  const upgraded = verdict(
    failed(during) === 0 &&
      (await decides(environment, project)) &&
      second.level === after.level &&
      second.replicas === after.replicas &&
      second.secrets === first.secrets,
    `upgraded with ${name}: LOG_LEVEL ${second.level}, ${second.replicas} replicas of audit, Secrets as before; ${describeLoad(during)}`,
  );

  const goingBack = await underLoad("helm rollback", () => release.rollback());
  const former = await stateOf(cluster);
  const rolledBack = verdict(
    failed(goingBack) === 0 && isDeepStrictEqual(former, first) && (await decides(environment, project)),
    `rolled back with ${name}: LOG_LEVEL ${former.level}, ${former.replicas} replicas of audit, Secrets as before; ${describeLoad(goingBack)}`,
  );

  await step("helm uninstall", () => release.uninstall());
  const left = (await objectsLeft(cluster)).join(", ");
  await install(`helm install with ${name} again`);
  const third = await stateOf(cluster);
  const uninstalled = verdict(
    left === variant.remains.join(", ") &&
      third.secrets === first.secrets &&
      (await decides(environment, project)),
    `uninstalled with ${name}: ${left} remain; installed again, it decides as before`,
  );
  await step("helm uninstall", () => release.uninstall());
  return add(installed, upgraded, rolledBack, uninstalled);
};

export const checkHelm = async (cluster: Cluster, home: Home): Promise<Counts> => {
  const release = await openRelease(cluster);
  const counts: Counts[] = [];
  for (const variant of [storesInside, storesOutside].map((make) => make(cluster, home, release)))
    try {
      await kubectl(cluster, "apply", "--filename", "k8s/base/namespace.yaml");
      counts.push(await live(cluster, release, variant));
    } finally {
      await keepLogs(cluster, home).catch((error: unknown) => say(`cannot read the logs: ${String(error)}`));
      await removeNamespaces(cluster);
    }
  return add(...counts);
};
