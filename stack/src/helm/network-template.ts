/** The templates of what `k8s/base` has besides services: the policies of the network. */
import { header, printDocument } from "./document.ts";
import { type Manifest, readManifests } from "./manifests.ts";
import { Block, Expression, isTree, type Node, type Tree } from "./template.ts";

const namespaceLabel = "kubernetes.io/metadata.name";

/** Where Prometheus runs is a value. */
const withMonitoringNamespace = (node: Node): Node => {
  if (Array.isArray(node)) return node.map(withMonitoringNamespace);
  if (!isTree(node)) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) =>
      key === namespaceLabel && value === "monitoring"
        ? [key, new Expression(".Values.monitoring.namespace")]
        : [key, withMonitoringNamespace(value)],
    ),
  );
};

const isPolicy = ({ kind }: Manifest): boolean => kind === "NetworkPolicy";

/** What an installation adds to what every service may call. */
const more: Tree = {
  apiVersion: "networking.k8s.io/v1",
  kind: "NetworkPolicy",
  metadata: { name: "services-call-more" },
  spec: {
    podSelector: { matchLabels: { "app.kubernetes.io/component": "service" } },
    policyTypes: ["Egress"],
    egress: new Block("toYaml .Values.networkPolicies.extraEgress"),
  },
};

export const sharedTemplate = (file: string): string => {
  const manifests = readManifests(`base/${file}`);
  const documents = manifests.map((manifest) =>
    printDocument(
      withMonitoringNamespace(manifest) as Tree,
      isPolicy(manifest) ? ".Values.networkPolicies.enabled" : undefined,
    ),
  );
  const extra = manifests.some(isPolicy)
    ? [printDocument(more, "and .Values.networkPolicies.enabled .Values.networkPolicies.extraEgress")]
    : [];
  return [header(`k8s/base/${file}`), ...documents, ...extra].join("");
};
