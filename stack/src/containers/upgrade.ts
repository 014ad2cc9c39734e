/**
 * An upgrade under load on docker compose, by the commands of docs/upgrading.md: images of the commit that wrote a data set
 * are replaced by those of this tree, those again, and these again.
 */
import { join } from "node:path";
import { say, step } from "../../launch/progress.mjs";
import { type DataSet, dataSetFiles, readDataSet, unversioned } from "../data-set/data-set.ts";
import { loadDatabase } from "../data-set/database.ts";
import { checkOutSources } from "../data-set/former-tree.ts";
import { migrationSettings } from "../data-set/upgrade.ts";
import { askAll } from "../data-set/upgrade-load.ts";
import type { Home } from "../home.ts";
import { redisPasswords } from "../stores/redis-users.ts";
import { services } from "../services/service-names.ts";
import { inheritEnvironment } from "../services/variables.ts";
import { freePort } from "../ports.ts";
import { inRepository } from "../repository.ts";
import { readOrMakeSecrets } from "../secrets.ts";
import { add, type Counts, none } from "../testing/runner/counts.ts";
import { documentedCommands } from "../testing/suites/documented-commands.ts";
import { checkUpgraded } from "../testing/suites/upgraded.ts";
import { verdict } from "../testing/suites/verdict.ts";
import { projectOf } from "./abandoned.ts";
import { type Balancer, openBalancer } from "./balancer.ts";
import { type ComposeProject, compose, keepLogs, removeProject, runAsOperator } from "./compose.ts";
import { buildFormerImages, writeFormerImages } from "./former-images.ts";
import { buildImages } from "./images.ts";
import { containerLog } from "./session.ts";

/** Of the services that most of the load asks; one of each other one. */
const scale = { gateway: 2, access: 2, capture: 2, ciq: 2 } as const;
const page = "upgrading.md";

const variablesOf = async (set: DataSet, home: Home, balancer: Balancer) => {
  const secrets = readOrMakeSecrets(home);
  const [neo4jPort, redisPort] = [await freePort(), await freePort()];
  return {
    database: {
      uri: `bolt://127.0.0.1:${neo4jPort}`,
      username: "neo4j",
      password: secrets.neo4j_password,
    },
    env: {
      ...inheritEnvironment(process.env),
      PORT: balancer.ports,
      PUBLIC_URL: balancer.url,
      NEO4J_PORT: String(neo4jPort),
      REDIS_PORT: String(redisPort),
      NEO4J_URI: "",
      REDIS_URL: "",
      NEO4J_PASSWORD: secrets.neo4j_password,
      REDIS_PASSWORD: secrets.redis_password,
      ...redisPasswords(secrets.redis_password),
      // A machine that is busy with other tests may take long for a start.
      START_TIMEOUT_SECONDS: "240",
      // As docs/upgrading.md says.
      DRAIN_DELAY_MS: "3000",
      STOP_GRACE_PERIOD: "30s",
      AUDIT_BATCH_MS: "300",
      LOG_LEVEL: "info",
      ...set.variables,
      ...migrationSettings,
    },
  };
};

const up = ["up", "--detach", "--no-build", "--wait", "--wait-timeout", "300"];

/** Starts the stores, which nothing replaces later, fills the database, and starts the services. */
const startOn = async (
  project: ComposeProject,
  set: DataSet,
  database: Parameters<typeof loadDatabase>[0],
): Promise<void> => {
  await step("the stores", () => compose(project, ...up, "neo4j", "redis"));
  await step("the data of the former services", () => loadDatabase(database, set.stored));
  const flags = Object.entries(scale).flatMap(([name, count]) => ["--scale", `${name}=${count}`]);
  await step("the services", () => compose(project, ...up, "--no-deps", ...flags, ...services));
};

const upgradeOf = async (set: DataSet, home: Home, signal: AbortSignal): Promise<Counts> => {
  const tree = checkOutSources(set.commit);
  const balancer = await openBalancer(2 * scale.gateway);
  const { env, database } = await variablesOf(set, home, balancer);
  const projectIn = (folder: string, ...more: readonly string[]): ComposeProject => ({
    name: projectOf(process.pid),
    files: [join(folder, "docker-compose.yml"), inRepository("docker-compose.test.yml"), ...more],
    env,
    signal,
  });
  const now = projectIn(inRepository());
  const former = projectIn(tree.folder, writeFormerImages(home));
  const run = (project: ComposeProject, title: string, name: string): Promise<void> =>
    runAsOperator(project, title, "-euc", documentedCommands(name, page));
  try {
    await buildFormerImages(tree.folder, home, signal);
    await startOn(former, set, database);
    await run(former, "the users of Redis", "users of Redis on compose");
    const upgraded = await checkUpgraded(
      set,
      {
        url: balancer.url,
        database,
        toThis: () => run(now, "these services", "replace on compose"),
        toFormer: async () => {
          await run(former, "the former services", "replace on compose");
          if (set.release === unversioned)
            await run(former, "jobs for the former services", "clear priorities on compose");
        },
      },
      async () => {
        await compose(now, "stop", "access");
      },
    );
    const state = documentedCommands("the state of an upgrade on compose");
    await runAsOperator(now, "the state of the upgrade", "-euc", state);
    // Where twelve containers that start at once take the time of both processors, requests reach their time limits.
    await compose(now, "start", "access");
    await run(now, "all of these services at a time", "replace all on compose");
    const { length } = await askAll(balancer.url, set);
    return add(upgraded, verdict(length === 0, `replaced at a time: ${length} questions decided otherwise`));
  } finally {
    await keepLogs(now, containerLog(home)).catch((error: unknown) =>
      say(`cannot read the logs: ${String(error)}`),
    );
    await removeProject(now);
    await balancer.close();
    tree.remove();
  }
};

export const checkUpgrade = async (home: Home, signal: AbortSignal): Promise<Counts> => {
  await buildImages(signal);
  let counts = none;
  for (const file of dataSetFiles()) counts = add(counts, await upgradeOf(readDataSet(file), home, signal));
  return counts;
};
