/** One run of the suite in a cluster, from the creation of its secrets to the removal of its namespace. */
import { writeFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { say, step } from "../../launch/progress.mjs";
import { runProgram } from "../../launch/run-program.mjs";
import type { FirstCredential } from "../services/bootstrap.ts";
import type { Environment } from "../environment.ts";
import type { Home } from "../home.ts";
import { writePrivate } from "../home.ts";
import { services } from "../services/service-names.ts";
import { keysOfDeployment } from "../services/variables.ts";
import { redisUrl } from "../stores/redis.ts";
import { redisPasswords, redisUrlOf, variablePrefix } from "../stores/redis-users.ts";
import { readOrMakeSecrets, type Secrets } from "../secrets.ts";
import type { TestCluster } from "./cluster.ts";
import { type Cluster, inNamespace, kubectl, namespace, tryKubectl } from "./kubectl.ts";

/** Ports of the node, as the overlays `local` and `test` name them. */
export const ports = { gateway: 30080, neo4j: 30687, redis: 30379 } as const;

const images = ["redis:7", "neo4j:5.26-community"] as const;

/** What the pods are made of. */
export const imagesOfPods: readonly string[] = [...services.map((name) => `ikg/${name}`), ...images];

export interface KubernetesSession {
  readonly cluster: TestCluster;
  readonly environment: Environment;
  /** The address of this machine under which pods reach what tests start on it. */
  readonly testHost: string;
}

/** Values reach the cluster through a file: other users can see arguments. */
const makeSecret = async (
  cluster: Cluster,
  home: Home,
  name: string,
  values: Readonly<Record<string, string>>,
  inside: string = namespace,
): Promise<void> => {
  const file = join(home.root, `${name}.json`);
  const metadata = { name, namespace: inside };
  writePrivate(file, { apiVersion: "v1", kind: "Secret", metadata, stringData: values });
  await kubectl(cluster, "apply", "--filename", file);
};

/** The keys of the suite. */
export const makeKeySecret = (
  cluster: Cluster,
  home: Home,
  keys: Readonly<Record<string, string>>,
): Promise<void> => makeSecret(cluster, home, "ikg-keys", keys);

/**
 * The credentials of the stores, in the namespace `inside`, with Redis at a host.
 *
 * @param more what former releases read besides
 */
export const makeStoreSecret = (
  cluster: Cluster,
  home: Home,
  secrets: Secrets,
  { host = "redis", inside = namespace, more = {} } = {},
): Promise<void> => {
  const operators = `redis://:${secrets.redis_password}@${host}:6379`;
  const values = {
    NEO4J_USERNAME: "neo4j",
    NEO4J_PASSWORD: secrets.neo4j_password,
    REDIS_PASSWORD: secrets.redis_password,
    ...redisPasswords(secrets.redis_password),
    ...Object.fromEntries(
      services.map((name) => [
        `${variablePrefix(name)}_REDIS_URL`,
        redisUrlOf(name, operators, secrets.redis_password),
      ]),
    ),
    ...more,
  };
  return makeSecret(cluster, home, "ikg-stores", values, inside);
};

/** An address of this machine that is not loopback: pods have loopbacks of their own. */
const ownAddress = (): string =>
  Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.1";

/** The first credential: the command of operators in a pod of configs, its answer on standard output alone. */
export const bootstrap = async (cluster: Cluster): Promise<{ organizationId: string; token: string }> => {
  const lines = await inNamespace(
    cluster,
    "exec",
    "deployment/configs",
    "--",
    "node",
    "services/configs/src/bootstrap.ts",
  );
  const answer = lines.find((line) => line.startsWith("{"));
  if (answer === undefined) throw new Error("the bootstrap left no credential");
  // Written by services/configs/src/bootstrap.ts, with this shape.
  const made = JSON.parse(answer) as FirstCredential;
  return { organizationId: made.organization_id, token: made.service_account_token };
};

export const rolloutSeconds = 600;

/** Waits until every replica of all our workloads is the newest and ready. */
export const untilRolledOut = async (cluster: Cluster, ...names: readonly string[]): Promise<void> => {
  for (const name of names)
    await inNamespace(cluster, "rollout", "status", name, `--timeout=${rolloutSeconds}s`);
};

/** Waits for all services. */
export const allReady = (cluster: Cluster): Promise<void> =>
  untilRolledOut(cluster, ...services.map((name) => `deployment/${name}`));

/** Applies the overlay of tests, and waits for everything, as in docs/operations.md. */
export const applySuite = async (cluster: Cluster): Promise<void> => {
  await kubectl(cluster, "apply", "--kustomize", "k8s/overlays/test");
  const workloads = await inNamespace(cluster, "get", "statefulset,deployment", "--output=name");
  await untilRolledOut(cluster, ...workloads);
};

/** The logs of the pods, one file each. */
export const keepLogs = async (cluster: Cluster, home: Home): Promise<void> => {
  const unstopped = { ...cluster, signal: new AbortController().signal };
  const pods = await inNamespace(unstopped, "get", "pods", "--output=name");
  for (const pod of pods) {
    const { lines } = await tryKubectl(unstopped, "--namespace", namespace, "logs", pod);
    writeFileSync(join(home.logs, `${pod.replace("/", "-")}.log`), `${lines.join("\n")}\n`, { mode: 0o600 });
  }
};

export const describeUnready = async (cluster: Cluster): Promise<void> => {
  for (const what of ["pods", "events"]) {
    const { lines } = await tryKubectl(
      cluster,
      "--namespace",
      namespace,
      "get",
      what,
      "--sort-by=.metadata.creationTimestamp",
    );
    for (const line of lines.slice(-40)) say(line);
  }
};

/**
 * Applies the overlay of tests, does `work`, and removes the namespace whatever happens. Logs of the pods go to the home.
 *
 * @throws UserError; Interrupted
 */
export const withDeployment = async <T>(
  home: Home,
  cluster: TestCluster,
  work: (session: KubernetesSession) => Promise<T>,
): Promise<T> => {
  const secrets = readOrMakeSecrets(home);
  try {
    await kubectl(cluster, "apply", "--filename", "k8s/base/namespace.yaml");
    await makeKeySecret(cluster, home, keysOfDeployment(secrets));
    await makeStoreSecret(cluster, home, secrets);
    await step("kubectl apply --kustomize k8s/overlays/test", () => applySuite(cluster)).catch(
      async (error: unknown) => {
        await describeUnready(cluster);
        throw error;
      },
    );
    const { organizationId, token } = await bootstrap(cluster);
    const base_url = `http://127.0.0.1:${ports.gateway}`;
    const environment = {
      base_url,
      mcp_url: base_url,
      organization_id: organizationId,
      service_account_token: token,
      neo4j_uri: `bolt://127.0.0.1:${ports.neo4j}`,
      neo4j_username: "neo4j",
      neo4j_password: secrets.neo4j_password,
      redis_url: redisUrl(secrets.redis_password, ports.redis),
      replicas: 2,
    };
    writePrivate(home.environmentFile, environment);
    return await work({ cluster, environment, testHost: ownAddress() });
  } finally {
    await keepLogs(cluster, home).catch((error: unknown) => say(`cannot read the logs: ${String(error)}`));
    await step("removing the namespace", () =>
      runProgram("kubectl", ["delete", "namespace", namespace, "--timeout=120s"], { env: cluster.env }),
    );
  }
};
