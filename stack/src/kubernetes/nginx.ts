/** nginx as a pod in its own namespace, where an ingress controller would be. */
import { join } from "node:path";
import { say, step } from "../../launch/progress.mjs";
import { runProgram } from "../../launch/run-program.mjs";
import { prepareNginx } from "../containers/nginx-image.ts";
import { writePrivate } from "../home.ts";
import {
  clientAddressPath,
  nginxArgs,
  nginxFiles,
  nginxFolder,
  type NginxSettings,
  withNginxFiles,
} from "../testing/suites/nginx.ts";
import type { ProxyEntry } from "../testing/suites/proxy-client.ts";
import type { TestCluster } from "./cluster.ts";
import { type Cluster, kubectl, namespace, tryKubectl } from "./kubectl.ts";

const proxyNamespace = "ikg-proxy";
const inside = ["--namespace", proxyNamespace] as const;
const name = "proxy";
/** The ports of nginx in its pod, of its Service for other pods, and of the node for clients on this machine. */
const ports = { container: 8443, service: 443, node: 30443 } as const;
/** The user of nginx in its image. */
const user = 101;

export interface ClusterProxy {
  /** Clients on this machine reach it here. */
  readonly entry: ProxyEntry;
  /** Pods reach it here. */
  readonly entryInside: Pick<ProxyEntry, "address" | "port">;
  /** Its pod calls the gateway from this address. */
  readonly podAddress: string;
}

const labels = { "app.kubernetes.io/name": name };

/** One container under the restricted profile, with the Secret that has its files. */
const podOf = (image: string): object => ({
  automountServiceAccountToken: false,
  securityContext: {
    runAsNonRoot: true,
    runAsUser: user,
    runAsGroup: user,
    seccompProfile: { type: "RuntimeDefault" },
  },
  containers: [
    {
      name,
      image,
      imagePullPolicy: "IfNotPresent",
      command: ["nginx"],
      args: nginxArgs,
      ports: [{ name: "https", containerPort: ports.container }],
      readinessProbe: {
        httpGet: { path: clientAddressPath, port: "https", scheme: "HTTPS" },
        periodSeconds: 1,
      },
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      },
      volumeMounts: [
        { name: "files", mountPath: nginxFolder, readOnly: true },
        { name: "tmp", mountPath: "/tmp" },
      ],
    },
  ],
  volumes: [
    { name: "files", secret: { secretName: name } },
    { name: "tmp", emptyDir: {} },
  ],
});

const objectsOf = (image: string): object => ({
  apiVersion: "v1",
  kind: "List",
  items: [
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name, namespace: proxyNamespace },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: podOf(image) },
      },
    },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name, namespace: proxyNamespace },
      spec: {
        type: "NodePort",
        selector: labels,
        ports: [{ name: "https", port: ports.service, targetPort: "https", nodePort: ports.node }],
      },
    },
  ],
});

/** Waits until it is ready; where it is not, its log says why. */
const untilReady = async (cluster: Cluster): Promise<void> => {
  const deployment = `deployment/${name}`;
  await kubectl(cluster, ...inside, "rollout", "status", deployment, "--timeout=120s").catch(
    async (error: unknown) => {
      const { lines } = await tryKubectl(cluster, ...inside, "logs", deployment);
      for (const line of lines.slice(-20)) say(line);
      throw error;
    },
  );
};

/** Starts it, from the files in a folder. @returns the address of its pod */
const start = async (cluster: Cluster, image: string, folder: string): Promise<string> => {
  const files = nginxFiles.map((each) => `--from-file=${join(folder, each)}`);
  await kubectl(cluster, ...inside, "create", "secret", "generic", name, ...files);
  const manifest = join(folder, "objects.json");
  writePrivate(manifest, objectsOf(image));
  await kubectl(cluster, "apply", "--filename", manifest);
  await untilReady(cluster);
  const path = "--output=jsonpath={.items[*].status.podIP}";
  const [address = ""] = await kubectl(cluster, ...inside, "get", "pods", path);
  return address;
};

/** Runs it in front of the gateway for `work`; `host` is the name by which clients call the suite. */
export const withClusterProxy = async <T>(
  cluster: TestCluster,
  host: string,
  work: (proxy: ClusterProxy) => Promise<T>,
): Promise<T> => {
  const image = await prepareNginx(cluster.signal);
  await cluster.load([image]);
  const settings: NginxSettings = {
    listen: [String(ports.container)],
    upstream: `http://gateway.${namespace}.svc.cluster.local:8080`,
    host,
  };
  // Before the `try`: where this fails, the namespace is not ours to delete.
  await kubectl(cluster, "create", "namespace", proxyNamespace);
  try {
    return await withNginxFiles(settings, async (folder, ca) => {
      const podAddress = await step("nginx in front of the gateway", () => start(cluster, image, folder));
      return work({
        entry: { address: "127.0.0.1", port: ports.node, host, ca },
        entryInside: { address: `${name}.${proxyNamespace}.svc.cluster.local`, port: ports.service },
        podAddress,
      });
    });
  } finally {
    const deletion = ["delete", "namespace", proxyNamespace, "--ignore-not-found", "--timeout=120s"];
    await runProgram("kubectl", deletion, { env: cluster.env });
  }
};
