/** The suite in a cluster behind nginx, by the settings that docs/operations.md gives an overlay. */
import { step } from "../../launch/progress.mjs";
import { checkBehindProxy } from "../testing/suites/behind-proxy.ts";
import type { Counts } from "../testing/runner/counts.ts";
import { documentedGenerator } from "../testing/suites/documented-overlay.ts";
import { proxySettings, variablesIn } from "../testing/suites/proxied-suite.ts";
import { applyOverlay, restoreSuite } from "./apply-overlay.ts";
import { type Cluster, inNamespace, namespace } from "./kubectl.ts";
import { withClusterProxy } from "./nginx.ts";
import type { KubernetesSession } from "./session.ts";
import { withKustomization } from "./with-kustomization.ts";

const overlay = "k8s/overlays/test";

/** Applies the documented lines with these literals. */
const applySettings = (cluster: Cluster, settings: Readonly<Record<string, string>>): Promise<void> => {
  const literals = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  return withKustomization(
    (from) => ({
      namespace,
      resources: [from(overlay)],
      configMapGenerator: [{ ...documentedGenerator(), literals }],
    }),
    (folder) => applyOverlay(cluster, folder),
  );
};

/** What all replicas of the gateway have logged. */
const readGatewayLog = (cluster: Cluster): Promise<readonly string[]> => {
  const pods = "--selector=app.kubernetes.io/name=gateway";
  return inNamespace(cluster, "logs", pods, "--tail=-1", "--max-log-requests=20");
};

/** Sends requests through nginx with TLS, and puts the overlay's settings back. */
export const checkProxy = async ({ cluster, environment }: KubernetesSession): Promise<Counts> => {
  const { PUBLIC_URL } = proxySettings(variablesIn(documentedGenerator().literals));
  const { host } = new URL(PUBLIC_URL);
  return withClusterProxy(cluster, host, async ({ entry, entryInside, podAddress }) => {
    try {
      return await checkBehindProxy({
        environment,
        entry,
        entryInside,
        // The page names a network, in which the client in a pod of access would be, too.
        settings: { PUBLIC_URL, TRUSTED_PROXIES: podAddress },
        signal: cluster.signal,
        apply: (settings) => applySettings(cluster, settings),
        runNode: (...args) => inNamespace(cluster, "exec", "deployment/access", "--", "node", ...args),
        readGatewayLog: () => readGatewayLog(cluster),
      });
    } finally {
      await step("the suite with the settings of before", () => restoreSuite(cluster));
    }
  });
};
