/** One run of the suite in containers, from the build of its images to the removal of its last volume. */
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { say, step } from "../../launch/progress.mjs";
import type { Environment } from "../environment.ts";
import { readEnvironment } from "../environment.ts";
import type { Home } from "../home.ts";
import { writePrivate } from "../home.ts";
import { inheritEnvironment, keysOfDeployment } from "../services/variables.ts";
import { redisUrl } from "../stores/redis.ts";
import { redisPasswords } from "../stores/redis-users.ts";
import { freePort } from "../ports.ts";
import { readOrMakeSecrets } from "../secrets.ts";
import { projectOf } from "./abandoned.ts";
import type { ComposeProject } from "./compose.ts";
import { compose, composeUp, docker, keepLogs, removeProject } from "./compose.ts";
import { buildImages } from "./images.ts";

/** Where engines have their networks, by default; issuers and databases of tests are there and on loopback. */
const nearby = "127.0.0.0/8,172.16.0.0/12,192.168.0.0/16";

export interface ContainerSession {
  readonly project: ComposeProject;
  readonly environment: Environment;
  /** The address of this machine under which containers reach what tests start on it. */
  readonly testHost: string;
  /** How long it took from the first container to healthy, the images being built. */
  readonly healthyMs: number;
}

const projectFor = async (home: Home, signal: AbortSignal) => {
  const secrets = readOrMakeSecrets(home);
  const [port, neo4jPort, redisPort] = [await freePort(), await freePort(), await freePort()];
  const [prometheusPort, grafanaPort] = [await freePort(), await freePort()];
  const project: ComposeProject = {
    name: projectOf(process.pid),
    files: ["docker-compose.yml", "docker-compose.test.yml"],
    signal,
    env: {
      ...inheritEnvironment(process.env),
      PORT: String(port),
      NEO4J_PORT: String(neo4jPort),
      REDIS_PORT: String(redisPort),
      PROMETHEUS_PORT: String(prometheusPort),
      GRAFANA_PORT: String(grafanaPort),
      // Those of the project, wherever this machine has others.
      NEO4J_URI: "",
      REDIS_URL: "",
      NEO4J_PASSWORD: secrets.neo4j_password,
      REDIS_PASSWORD: secrets.redis_password,
      ...redisPasswords(secrets.redis_password),
      ...keysOfDeployment(secrets),
      DB_ALLOW_CIDRS: nearby,
      // A machine that is busy with other tests may take long for a start.
      START_TIMEOUT_SECONDS: "240",
      API_REFERENCE: "true",
      EGRESS_ALLOW_HTTP: "true",
      EGRESS_ALLOW_CIDRS: nearby,
      TRUST_SCHEDULE_SCALE: "0.0003",
      AUDIT_BATCH_MS: "300",
    },
  };
  const stores = {
    neo4j_uri: `bolt://127.0.0.1:${neo4jPort}`,
    neo4j_username: "neo4j",
    neo4j_password: secrets.neo4j_password,
    redis_url: redisUrl(secrets.redis_password, redisPort),
  };
  return { project, stores };
};

/** Where the logs of all containers go. */
export const containerLog = (home: Home): string => join(home.logs, "containers.log");

/** The first credential, taken from the volume of the container that made it, with what tests want besides. */
const takeEnvironment = async (
  home: Home,
  project: ComposeProject,
  stores: Pick<Environment, "neo4j_uri" | "neo4j_username" | "neo4j_password" | "redis_url">,
): Promise<Environment> => {
  mkdirSync(dirname(home.environmentFile), { recursive: true });
  await compose(project, "cp", "bootstrap:/credentials/environment.json", home.environmentFile);
  const first = readEnvironment(home.environmentFile);
  if (first === undefined) throw new Error("the bootstrap container has left no credential");
  const { neo4j_uri, neo4j_username, neo4j_password, redis_url } = stores;
  const ofStores = { neo4j_uri, neo4j_username, neo4j_password, redis_url };
  const environment = { ...first, mcp_url: first.base_url, ...ofStores };
  writePrivate(home.environmentFile, environment);
  return environment;
};

/**
 * Builds the images, starts the suite, does `work`, and removes what was started whatever happens. Logs of all containers
 * go to the home.
 *
 * @throws UserError; Interrupted
 */
export const withContainers = async <T>(
  home: Home,
  signal: AbortSignal,
  work: (session: ContainerSession) => Promise<T>,
): Promise<T> => {
  const { project, stores } = await projectFor(home, signal);
  await buildImages(signal);
  try {
    const began = performance.now();
    await step(
      "docker compose up --wait",
      () => composeUp(project),
      () => `docker compose up --wait: healthy`,
    );
    const healthyMs = performance.now() - began;
    const environment = await takeEnvironment(home, project, stores);
    const network = ["network", "inspect", "--format", "{{(index .IPAM.Config 0).Gateway}}"];
    const [testHost = ""] = await docker([...network, `${project.name}_default`]);
    return await work({ project, environment, testHost, healthyMs });
  } finally {
    await keepLogs(project, containerLog(home)).catch((error: unknown) =>
      say(`cannot read the logs: ${String(error)}`),
    );
    await removeProject(project);
  }
};
