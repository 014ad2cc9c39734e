/** Where the stores of an installation by Helm are, and what an operator makes for it beforehand. */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { step } from "../../launch/progress.mjs";
import { runProgram } from "../../launch/run-program.mjs";
import type { ClientEnvironment } from "../environment.ts";
import type { Home } from "../home.ts";
import { keysOfDeployment } from "../services/variables.ts";
import { readOrMakeSecrets } from "../secrets.ts";
import { type Cluster, inNamespace, kubectl, namespace } from "./kubectl.ts";
import type { Release } from "./release.ts";
import { bootstrap, makeKeySecret, makeStoreSecret, ports, rolloutSeconds } from "./session.ts";

export interface Variant {
  readonly name: string;
  readonly values: Readonly<Record<string, object>>;
  /** What `helm uninstall` leaves, as the README of the chart says. */
  readonly remains: readonly string[];
  /** What is done before the first installation. */
  prepare(): Promise<void>;
}

/** A busy machine takes long for a start. */
export const longStarts = {
  settings: { START_TIMEOUT_SECONDS: 240 },
  serviceDefaults: { startupSeconds: 300 },
};

/** What clients need, with the first credential. */
export const environmentOf = async (cluster: Cluster): Promise<ClientEnvironment> => {
  const { organizationId, token } = await bootstrap(cluster);
  const base_url = `http://127.0.0.1:${ports.gateway}`;
  return { base_url, mcp_url: base_url, organization_id: organizationId, service_account_token: token };
};

/** Another namespace, whose stores stand for those that are run elsewhere. */
const elsewhere = "ikg-stores";

const secrets = ["secret/ikg-keys", "secret/ikg-stores"];
const volumes = ["persistentvolumeclaim/data-neo4j-0", "persistentvolumeclaim/data-redis-0"];

export const storesInside = (): Variant => ({
  name: "stores inside",
  values: {},
  remains: [...volumes, ...secrets],
  prepare: async () => undefined,
});

const applyStores = async (cluster: Cluster, release: Release): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "ikg-stores-"));
  try {
    const file = join(folder, "stores.yaml");
    writeFileSync(file, await release.storeManifests());
    await kubectl(cluster, "--namespace", elsewhere, "apply", "--filename", file);
  } finally {
    rmSync(folder, { recursive: true });
  }
  for (const name of ["statefulset/neo4j", "statefulset/redis"])
    await kubectl(
      cluster,
      "--namespace",
      elsewhere,
      "rollout",
      "status",
      name,
      `--timeout=${rolloutSeconds}s`,
    );
};

export const storesOutside = (cluster: Cluster, home: Home, release: Release): Variant => ({
  name: "stores outside",
  values: {
    secrets: { create: false },
    stores: { embedded: false },
    settings: { NEO4J_URI: `bolt://neo4j.${elsewhere}.svc.cluster.local:7687` },
  },
  remains: secrets,
  prepare: async () => {
    const made = readOrMakeSecrets(home);
    await kubectl(cluster, "create", "namespace", elsewhere);
    await makeStoreSecret(cluster, home, made, { inside: elsewhere });
    await step("stores in a namespace of their own", () => applyStores(cluster, release));
    await makeKeySecret(cluster, home, keysOfDeployment(made));
    await makeStoreSecret(cluster, home, made, { host: `redis.${elsewhere}.svc.cluster.local` });
  },
});

/** Removes what an installation and its stores were in. */
export const removeNamespaces = async (cluster: Cluster): Promise<void> => {
  await step("removing the namespaces", () =>
    runProgram(
      "kubectl",
      ["delete", "namespace", namespace, elsewhere, "--ignore-not-found", "--timeout=180s"],
      {
        env: cluster.env,
      },
    ),
  );
};

export interface State {
  readonly level: string;
  readonly replicas: number;
  /** A digest: what Secrets contain is not shown. */
  readonly secrets: string;
}

/** What an upgrade changes, and what it must not change, as the cluster has them. */
export const stateOf = async (cluster: Cluster): Promise<State> => {
  const [level = ""] = await inNamespace(cluster, "exec", "deployment/access", "--", "printenv", "LOG_LEVEL");
  const ready = "--output=jsonpath={.status.readyReplicas}";
  const [replicas = ""] = await inNamespace(cluster, "get", "deployment/audit", ready);
  const data = "--output=jsonpath={.items[*].data}";
  const secrets = await inNamespace(cluster, "get", "secret", "ikg-keys", "ikg-stores", data);
  return {
    level,
    replicas: Number(replicas),
    secrets: createHash("sha256").update(secrets.join("\n")).digest("hex"),
  };
};
