/** What the pods use, at rest and under a moderate load, by the numbers that the autoscaler reads (metrics-server). */
import { setTimeout as delay } from "node:timers/promises";
import { say, step } from "../../launch/progress.mjs";
import { services } from "../services/service-names.ts";
import type { Counts } from "../testing/runner/counts.ts";
import { failed, makeLoadProject, removeLoadProject, loadAtRate, warm } from "../testing/suites/load.ts";
import { verdict } from "../testing/suites/verdict.ts";
import { type Cluster, inNamespace, namespace, tryKubectl } from "./kubectl.ts";
import type { KubernetesSession } from "./session.ts";

const requestsPerSecond = 50;
/** Longer than what went before stays in a number of metrics-server. */
const settleMs = 60_000;
const watchMs = 90_000;
/** metrics-server refreshes every 15 s. */
const everyMs = 15_000;

interface Use {
  /** thousandths of a core */
  readonly cpu: number;
  readonly megabytes: number;
}

/** The most that a pod of each workload used. */
type Uses = ReadonlyMap<string, Use>;

const nameLabel = "app.kubernetes.io/name";

/** `250m`, `1500000n`, `2`. */
const millicores = (text: string): number => {
  const [, number = "", unit = ""] = /^(\d+)([num]?)$/.exec(text) ?? [];
  return Number(number) * ({ n: 1e-6, u: 1e-3, m: 1 }[unit] ?? 1_000);
};

/** `159384Ki`, `160Mi`, `2Gi`. */
const megabytes = (text: string): number => {
  const [, number = "", unit = ""] = /^(\d+)([KMG]i)?$/.exec(text) ?? [];
  return (Number(number) * ({ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 }[unit] ?? 1)) / 1e6;
};

interface PodMetrics {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly containers: readonly { readonly usage: { readonly cpu: string; readonly memory: string } }[];
}

/** Empty when metrics-server does not answer: on a busy machine the API server takes it for gone now and then. */
const read = async (cluster: Cluster): Promise<Uses> => {
  const path = `/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods`;
  const { code, lines } = await tryKubectl(cluster, "get", "--raw", path);
  if (code !== 0) return new Map();
  // https://pkg.go.dev/k8s.io/metrics/pkg/apis/metrics/v1beta1
  const { items } = JSON.parse(lines.join("\n")) as { items: readonly PodMetrics[] };
  return most(
    items.map(({ metadata, containers }) => {
      const cpu = containers.reduce((sum, { usage }) => sum + millicores(usage.cpu), 0);
      const memory = containers.reduce((sum, { usage }) => sum + megabytes(usage.memory), 0);
      return new Map([[metadata.labels[nameLabel] ?? "", { cpu, megabytes: memory }]]);
    }),
  );
};

const most = (all: readonly Uses[]): Uses => {
  const uses = new Map<string, Use>();
  for (const [name, use] of all.flatMap((each) => [...each])) {
    const { cpu, megabytes: memory } = uses.get(name) ?? use;
    uses.set(name, { cpu: Math.max(cpu, use.cpu), megabytes: Math.max(memory, use.megabytes) });
  }
  return uses;
};

const watch = async (cluster: Cluster): Promise<Uses> => {
  const all = [];
  for (const until = performance.now() + watchMs; performance.now() < until; await delay(everyMs))
    all.push(await read(cluster));
  return most(all);
};

/** What a workload is given, as the cluster has it: memory in MB. */
const given = async (
  cluster: Cluster,
  name: string,
): Promise<{ readonly request: number; readonly limit: number }> => {
  const of = "{.spec.template.spec.containers[0].resources";
  const path = `--output=jsonpath=${of}.requests.memory} ${of}.limits.memory}`;
  const kind = (services as readonly string[]).includes(name) ? "deployment" : "statefulset";
  const [line = ""] = await inNamespace(cluster, "get", `${kind}/${name}`, path);
  const [request = "", limit = ""] = line.split(" ");
  return { request: megabytes(request), limit: megabytes(limit) };
};

export const checkUsage = async ({ cluster, environment }: KubernetesSession): Promise<Counts> => {
  const project = await makeLoadProject(environment, "usage");
  await step("load until nothing fails", () => warm(environment, project));
  await delay(settleMs);
  const rest = await step("what pods use at rest", () => watch(cluster));
  const over = new AbortController();
  const loading = loadAtRate(environment, project, requestsPerSecond, over.signal);
  await delay(settleMs);
  const busy = await step(`what pods use at ${requestsPerSecond} requests/s`, () => watch(cluster));
  over.abort();
  const failures = failed(await loading);
  await removeLoadProject(environment, project);
  const beyond: string[] = [];
  for (const name of [...services, "neo4j", "redis"]) {
    const { request, limit } = await given(cluster, name);
    const [idle, used] = [rest.get(name), busy.get(name)];
    const show = (use: Use | undefined): string =>
      use === undefined ? "unknown" : `${use.cpu.toFixed(0)}m ${use.megabytes.toFixed(0)} MB`;
    say(
      `${name}: at rest ${show(idle)}, at ${requestsPerSecond} requests/s ${show(used)}; requested ${request.toFixed(0)} MB, limit ${limit.toFixed(0)} MB`,
    );
    if (used === undefined || used.megabytes > request) beyond.push(name);
  }
  return verdict(
    beyond.length === 0 && failures === 0,
    `pods use no more memory at ${requestsPerSecond} requests/s than they request${beyond.length === 0 ? "" : `, but ${beyond.join(", ")}`}; ${failures} requests failed`,
  );
};
