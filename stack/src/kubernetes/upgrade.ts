/**
 * An upgrade under load on a cluster, by the commands of docs/upgrading.md: the services of the commit that wrote a data set, from
 * its overlay, are replaced by those of this tree, those again, and these again.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { say, step } from "../../launch/progress.mjs";
import { buildFormerImages, formerImage } from "../containers/former-images.ts";
import { type DataSet, dataSetFiles, readDataSet, unversioned } from "../data-set/data-set.ts";
import { loadDatabase } from "../data-set/database.ts";
import { checkOutSources } from "../data-set/former-tree.ts";
import { migrationSettings } from "../data-set/upgrade.ts";
import type { Home } from "../home.ts";
import { redisPasswords } from "../stores/redis-users.ts";
import { services } from "../services/service-names.ts";
import { repository } from "../repository.ts";
import { readOrMakeSecrets } from "../secrets.ts";
import { add, type Counts, none } from "../testing/runner/counts.ts";
import { documentedCommands } from "../testing/suites/documented-commands.ts";
import { checkUpgraded } from "../testing/suites/upgraded.ts";
import { runAsOperator } from "./as-operator.ts";
import type { TestCluster } from "./cluster.ts";
import { removeNamespaces } from "./helm-variants.ts";
import { type Cluster, inNamespace, kubectl } from "./kubectl.ts";
import {
  allReady,
  describeUnready,
  keepLogs,
  makeKeySecret,
  makeStoreSecret,
  ports,
  untilRolledOut,
} from "./session.ts";
import { untilDrained } from "./until-drained.ts";

/** The overlay of tests in a tree, with images of its own and the pace of the migration. @returns a folder for kustomize */
const writeOverlay = (home: Home, tree: string, isFormer: boolean): string => {
  const folder = join(home.root, isFormer ? "overlay-former" : "overlay");
  mkdirSync(folder, { recursive: true });
  const literals = Object.entries(migrationSettings).map(([name, value]) => `${name}=${value}`);
  const images = services.map((name) => ({ name: `ikg/${name}`, newName: formerImage(name) }));
  const kustomization = {
    namespace: "ikg",
    resources: [relative(folder, join(tree, "k8s", "overlays", "test"))],
    configMapGenerator: [{ name: "settings", behavior: "merge", literals }],
    ...(isFormer ? { images } : {}),
  };
  writeFileSync(join(folder, "kustomization.yaml"), JSON.stringify(kustomization));
  return folder;
};

/** @param name of commands of docs/upgrading.md */
const runDocumented = (
  cluster: Cluster,
  title: string,
  name: string,
  variables?: Readonly<Record<string, string>>,
): Promise<void> =>
  runAsOperator(cluster, title, ["-euc", documentedCommands(name, "upgrading.md")], variables);

const replace = async (cluster: Cluster, title: string, overlay: string): Promise<void> => {
  await runDocumented(cluster, title, "replace on kubernetes", { OVERLAY: overlay });
  await untilDrained(cluster);
};

/** Makes the Secrets and the stores of an overlay, fills the database, and starts the services. */
const startOn = async (
  cluster: Cluster,
  home: Home,
  overlay: string,
  set: DataSet,
  database: Parameters<typeof loadDatabase>[0],
): Promise<void> => {
  const secrets = readOrMakeSecrets(home);
  await kubectl(cluster, "apply", "--filename", "k8s/base/namespace.yaml");
  await makeKeySecret(cluster, home, set.variables);
  const formerAddress = { REDIS_URL: `redis://:${secrets.redis_password}@redis:6379` };
  await makeStoreSecret(cluster, home, secrets, { more: formerAddress });
  await step("the stores", async () => {
    const others = "app.kubernetes.io/component!=service";
    await kubectl(cluster, "apply", "--kustomize", overlay, "--selector", others);
    await untilRolledOut(cluster, "statefulset/neo4j", "statefulset/redis");
  });
  await step("the data of the former services", () => loadDatabase(database, set.stored));
  await step("the services", async () => {
    await kubectl(cluster, "apply", "--kustomize", overlay);
    await allReady(cluster);
  });
};

/** Ends every replica, and waits until none answers. */
const takeAccessAway = async (cluster: Cluster): Promise<void> => {
  const pods = "--selector=app.kubernetes.io/name=access";
  await inNamespace(cluster, "scale", "deployment/access", "--replicas=0");
  await inNamespace(cluster, "wait", "--for=delete", "pod", pods, "--timeout=120s");
};

const upgradeOf = async (set: DataSet, cluster: TestCluster, home: Home): Promise<Counts> => {
  const tree = checkOutSources(set.commit);
  const secrets = readOrMakeSecrets(home);
  const database = {
    uri: `bolt://127.0.0.1:${ports.neo4j}`,
    username: "neo4j",
    password: secrets.neo4j_password,
  };
  const now = writeOverlay(home, repository, false);
  try {
    const former = writeOverlay(home, tree.folder, true);
    await buildFormerImages(tree.folder, home, cluster.signal);
    await cluster.load(services.map(formerImage));
    await startOn(cluster, home, former, set, database);
    const passwords = redisPasswords(secrets.redis_password);
    await runDocumented(cluster, "the users of Redis", "users of Redis on kubernetes", passwords);
    const upgraded = await checkUpgraded(
      set,
      {
        url: `http://127.0.0.1:${ports.gateway}`,
        database,
        toThis: () => replace(cluster, "these services", now),
        toFormer: async () => {
          await replace(cluster, "the former services", former);
          if (set.release === unversioned)
            await runDocumented(cluster, "jobs for the former services", "clear priorities on kubernetes");
        },
      },
      () => takeAccessAway(cluster),
    );
    const state = documentedCommands("the state of an upgrade on kubernetes");
    await runAsOperator(cluster, "the state of the upgrade", ["-euc", state]);
    return upgraded;
  } catch (error) {
    await describeUnready(cluster);
    throw error;
  } finally {
    await keepLogs(cluster, home).catch((error: unknown) => say(`cannot read the logs: ${String(error)}`));
    await removeNamespaces(cluster);
    tree.remove();
  }
};

/** @param cluster with the images of this tree */
export const checkUpgrade = async (cluster: TestCluster, home: Home): Promise<Counts> => {
  let counts = none;
  for (const file of dataSetFiles()) counts = add(counts, await upgradeOf(readDataSet(file), cluster, home));
  return counts;
};
