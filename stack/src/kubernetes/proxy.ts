/** The suite in a cluster behind nginx, by the settings that docs/operations.md gives an overlay. */
import { setTimeout as delay } from "node:timers/promises";
import { parse } from "yaml";
import { step } from "../../launch/progress.mjs";
import { checkBehindProxy } from "../testing/behind-proxy.ts";
import type { Counts } from "../testing/counts.ts";
import { documentedLines } from "../testing/documented-commands.ts";
import { proxySettings, type ProxySettings, variablesIn } from "../testing/proxied-suite.ts";
import { type Cluster, inNamespace, kubectl, namespace } from "./kubectl.ts";
import { withClusterProxy } from "./nginx.ts";
import { allReady, applySuite, describeUnready, type KubernetesSession } from "./session.ts";
import { withKustomization } from "./with-kustomization.ts";

const overlay = "k8s/overlays/test";
/** Until replicas of before have ended, which answer while they drain. */
const endedMs = 15_000;

interface Generators {
  readonly configMapGenerator: readonly {
    readonly name: string;
    readonly behavior: string;
    readonly literals: readonly string[];
  }[];
}

/** The documented lines of an overlay, whose one generator has the settings. */
const documentedGenerator = (): Generators["configMapGenerator"][number] => {
  // Ours, with this shape.
  const { configMapGenerator } = parse(
    documentedLines("In an overlay of Kubernetes:").join("\n"),
  ) as Generators;
  const [generator] = configMapGenerator;
  if (generator === undefined) throw new Error("docs/operations.md has no settings of an overlay");
  return generator;
};

/** Applies the documented lines with these literals, and waits until former replicas have ended. */
const applySettings = async (cluster: Cluster, settings: Readonly<Record<string, string>>): Promise<void> => {
  const literals = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  await withKustomization(
    (from) => ({
      namespace,
      resources: [from(overlay)],
      configMapGenerator: [{ ...documentedGenerator(), literals }],
    }),
    (folder) => kubectl(cluster, "apply", "--kustomize", folder),
  );
  await allReady(cluster).catch(async (error: unknown) => {
    await describeUnready(cluster);
    throw error;
  });
  await delay(endedMs);
};

/** Sends requests through nginx with TLS, and puts the overlay's settings back. */
export const checkProxy = async ({ cluster, environment }: KubernetesSession): Promise<Counts> => {
  const documented: ProxySettings = proxySettings(variablesIn(documentedGenerator().literals));
  const { host } = new URL(documented.PUBLIC_URL);
  return withClusterProxy(cluster, host, async ({ entry, entryInside, podAddress }) => {
    try {
      return await checkBehindProxy({
        environment,
        entry,
        entryInside,
        settings: { ...documented, TRUSTED_PROXIES: podAddress },
        apply: (settings) => applySettings(cluster, settings),
        runNode: (...args) => inNamespace(cluster, "exec", "deployment/access", "--", "node", ...args),
      });
    } finally {
      await step("the suite with the settings of before", async () => {
        await applySuite(cluster);
        await delay(endedMs);
      });
    }
  });
};
