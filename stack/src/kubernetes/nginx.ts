/** nginx as a pod in a namespace of its own, where an ingress controller would be. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { step } from "../../launch/progress.mjs";
import { runProgram } from "../../launch/run-program.mjs";
import { prepareNginx } from "../containers/nginx-image.ts";
import { writePrivate } from "../home.ts";
import { makeAuthority } from "../testing/certificates.ts";
import { clientAddressPath, nginxArgs, nginxFiles, nginxFolder, writeNginxFiles } from "../testing/nginx.ts";
import type { ProxyEntry } from "../testing/proxy-client.ts";
import type { TestCluster } from "./cluster.ts";
import { type Cluster, kubectl, namespace } from "./kubectl.ts";

const own = "ikg-proxy";
const name = "proxy";
/** Of nginx in its pod; of its Service for other pods; of the node for clients on this machine. */
const ports = { container: 8443, service: 443, node: 30443 } as const;
/** The user of nginx in its image. */
const user = 101;

export interface ClusterProxy {
  /** The proxy for clients on this machine, */
  readonly entry: ProxyEntry;
  /** and for pods. */
  readonly entryInside: Pick<ProxyEntry, "address" | "port">;
  /** Of its pod: the one that calls the gateway. */
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
      metadata: { name, namespace: own },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: podOf(image) },
      },
    },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name, namespace: own },
      spec: {
        type: "NodePort",
        selector: labels,
        ports: [{ name: "https", port: ports.service, targetPort: "https", nodePort: ports.node }],
      },
    },
  ],
});

/** Starts it, from the files in a folder. @returns the address of its pod */
const start = async (cluster: Cluster, image: string, folder: string): Promise<string> => {
  const inside = ["--namespace", own];
  const files = nginxFiles.map((each) => `--from-file=${join(folder, each)}`);
  await kubectl(cluster, "create", "namespace", own);
  await kubectl(cluster, ...inside, "create", "secret", "generic", name, ...files);
  const manifest = join(folder, "objects.json");
  writePrivate(manifest, objectsOf(image));
  await kubectl(cluster, "apply", "--filename", manifest);
  await kubectl(cluster, ...inside, "rollout", "status", `deployment/${name}`, "--timeout=120s");
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
  const folder = mkdtempSync(join(tmpdir(), "ikg-proxy-"));
  const authority = await makeAuthority();
  try {
    const upstream = `http://gateway.${namespace}.svc.cluster.local:8080`;
    const certificate = await authority.issue(name, [`DNS:${host}`]);
    writeNginxFiles(folder, { listen: [String(ports.container)], upstream, host }, certificate);
    const podAddress = await step("nginx in front of the gateway", () => start(cluster, image, folder));
    return await work({
      entry: { address: "127.0.0.1", port: ports.node, host, ca: readFileSync(authority.ca, "utf8") },
      entryInside: { address: `${name}.${own}.svc.cluster.local`, port: ports.service },
      podAddress,
    });
  } finally {
    await runProgram("kubectl", ["delete", "namespace", own, "--ignore-not-found", "--timeout=120s"], {
      env: cluster.env,
    });
    rmSync(folder, { recursive: true });
    authority.remove();
  }
};
