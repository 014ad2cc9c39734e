/** Values of services: what `k8s/base` says of most of them is the default, what it says of others stands under their names. */
import { anyMap, type ChartValue, count, flag, list, text, texts, value } from "./chart-value.ts";
import { containerIn, deploymentOf, firstOf, type Manifest, serviceManifests, treeAt } from "./manifests.ts";
import { ownSettings } from "./settings.ts";
import { isTree, type Node, type Tree } from "./template.ts";

const specOf = (manifests: readonly Manifest[], kind: string): Tree => {
  const found = manifests.find((manifest) => manifest.kind === kind);
  if (found === undefined) throw new Error(`a service without a ${kind}`);
  return treeAt(found, "spec");
};

const given = (node: Node | undefined): Node => node ?? null;

/** What the manifests of one service say where the chart has values. */
const described = (service: string, manifests: readonly Manifest[]): Tree => {
  const autoscaler = specOf(manifests, "HorizontalPodAutoscaler");
  const budget = specOf(manifests, "PodDisruptionBudget");
  const pod = treeAt(deploymentOf(manifests), "spec", "template", "spec");
  const container = containerIn(pod);
  const target = treeAt(firstOf(autoscaler["metrics"]), "resource", "target");
  const settings = ownSettings(service);
  return {
    replicas: given(autoscaler["minReplicas"]),
    autoscaling: {
      minReplicas: given(autoscaler["minReplicas"]),
      maxReplicas: given(autoscaler["maxReplicas"]),
      cpuPercent: given(target["averageUtilization"]),
    },
    disruptionBudget: { minAvailable: given(budget["minAvailable"]) },
    startupSeconds: given(treeAt(container, "startupProbe")["failureThreshold"]),
    terminationGracePeriodSeconds: given(pod["terminationGracePeriodSeconds"]),
    resources: treeAt(container, "resources"),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
};

const isSame = (a: Node | undefined, b: Node): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What more than half of the trees have, with one value. */
const shared = (trees: readonly Tree[]): Tree => {
  const keys = new Set(trees.flatMap((tree) => Object.keys(tree)));
  return Object.fromEntries(
    [...keys].flatMap((key) => {
      const nodes = trees.flatMap((tree) => tree[key] ?? []);
      if (nodes.length < trees.length) return [];
      if (nodes.every(isTree)) {
        const inside = shared(nodes);
        return Object.keys(inside).length > 0 ? [[key, inside] as const] : [];
      }
      const node = nodes.find(
        (each) => nodes.filter((other) => isSame(other, each)).length * 2 > nodes.length,
      );
      return node === undefined ? [] : [[key, node] as const];
    }),
  );
};

/** What a tree has of its own. */
const without = (tree: Tree, common: Tree): Tree =>
  Object.fromEntries(
    Object.entries(tree).flatMap(([key, node]) => {
      const other = common[key];
      if (other === undefined || !isTree(node) || !isTree(other))
        return isSame(other, node) ? [] : [[key, node] as const];
      const inside = without(node, other);
      return Object.keys(inside).length > 0 ? [[key, inside] as const] : [];
    }),
  );

const all = (): ReadonlyMap<string, Tree> =>
  new Map([...serviceManifests()].map(([service, manifests]) => [service, described(service, manifests)]));

/** What stands under the name of each service. */
export const valuesOfServices = (): Readonly<Record<string, Tree>> => {
  const trees = all();
  const common = shared([...trees.values()]);
  return Object.fromEntries([...trees].map(([service, tree]) => [service, without(tree, common)]));
};

/** @returns undefined for what differs from service to service */
const commonAt = (common: Tree, path: readonly string[]): Node | undefined =>
  path.reduce<Node | undefined>(
    (node, key) => (node !== undefined && isTree(node) ? node[key] : undefined),
    common,
  );

/** Values that every service has: paths below `serviceDefaults`, and below the name of a service. */
export const serviceShape = (): readonly ChartValue[] => {
  const common = shared([...all().values()]);
  const of = (path: string, schema: ChartValue["schema"], description: string): ChartValue =>
    value(path, commonAt(common, path.split(".")) ?? null, schema, description);
  return [
    value("image.tag", "", text, "Another tag than `image.tag`."),
    value(
      "image.digest",
      "",
      { type: "string", pattern: "^(sha256:[0-9a-f]{64})?$" },
      "A digest instead of a tag.",
    ),
    of("replicas", { type: "integer", minimum: 0 }, "Replicas where `autoscaling.enabled` is false."),
    value("autoscaling.enabled", true, flag, "A HorizontalPodAutoscaler; needs metrics-server."),
    of("autoscaling.minReplicas", count, "Replicas at least."),
    of("autoscaling.maxReplicas", count, "Replicas at most."),
    of(
      "autoscaling.cpuPercent",
      count,
      "Processor time, in percent of what is requested, from which replicas are added.",
    ),
    value("autoscaling.behavior", {}, anyMap, "`behavior` of the HorizontalPodAutoscaler."),
    value("disruptionBudget.enabled", true, flag, "A PodDisruptionBudget."),
    of(
      "disruptionBudget.minAvailable",
      { type: ["integer", "string"] },
      "Replicas that stay while a node is drained.",
    ),
    of("startupSeconds", count, "How long a start may take before the pod is started again."),
    of(
      "terminationGracePeriodSeconds",
      count,
      "How long a pod may take to stop: more than 5 s, `DRAIN_DELAY_MS`, `DRAIN_SECONDS` and `CLOSE_SECONDS` together.",
    ),
    of("resources", anyMap, "Requests and limits."),
    value(
      "internalTls.secret",
      "",
      text,
      "Secret of the certificate for TLS between services; empty: `NAME-tls`.",
    ),
    value("podLabels", {}, texts, "Labels of the pods, such as those of a workload identity."),
    value("podAnnotations", {}, texts, "Annotations of the pods."),
    value(
      "serviceAccountAnnotations",
      {},
      texts,
      "Annotations of the ServiceAccount, such as a role of the cloud.",
    ),
    value("nodeSelector", {}, texts, "Labels of the nodes that pods may run on."),
    value("affinity", {}, anyMap, "`affinity` of the pods."),
    value("tolerations", [], list, "Taints that pods tolerate."),
    value("priorityClassName", "", text, "PriorityClass of the pods."),
    value("extraEnv", [], list, "Variables that are no settings, such as `OTEL_EXPORTER_OTLP_ENDPOINT`."),
  ];
};
