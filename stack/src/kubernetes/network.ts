/** Allowed connections by the text of NetworkPolicies: a cluster need not enforce them. */

type Labels = Readonly<Record<string, string>>;

interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string };
}

interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly port: string | number; readonly protocol?: string }[];
}

interface Policy {
  readonly podSelector: Selector;
  readonly policyTypes: readonly string[];
  readonly ingress?: readonly Rule[];
  readonly egress?: readonly Rule[];
}

interface PodSpec {
  readonly containers: readonly {
    readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  }[];
}

/** Of what kustomize renders, the parts that say something about connections. */
export interface ClusterObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: unknown;
}

/** An end of a connection. */
export interface End {
  readonly name: string;
  /** of a pod in our namespace, */
  readonly labels?: Labels;
  /** or those of another namespace; neither: an address outside. */
  readonly namespaceLabels?: Labels;
  readonly ports: readonly { readonly name: string; readonly number: number }[];
}

const policiesOf = (objects: readonly ClusterObject[]): readonly Policy[] =>
  objects.filter(({ kind }) => kind === "NetworkPolicy").map(({ spec }) => spec as Policy); // the API server checks it

const workloads = new Set(["Deployment", "StatefulSet"]);

/** The pods of all workloads, each once. */
export const podsOf = (objects: readonly ClusterObject[]): readonly End[] =>
  objects
    .filter(({ kind }) => workloads.has(kind))
    .map(({ metadata: { name }, spec }) => {
      // A workload of this repository, checked by the API server, too.
      const { template } = spec as {
        readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec };
      };
      const ports = template.spec.containers.flatMap((container) => container.ports ?? []);
      return {
        name,
        labels: template.metadata.labels,
        ports: ports.map((port) => ({ name: port.name, number: port.containerPort })),
      };
    });

/** @throws Error for an operator that none of our policies has */
const selects = ({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every(({ key, operator, values = [] }) => {
    if (operator !== "In") throw new Error(`the operator ${operator} of a selector is not known here`);
    return values.includes(labels[key] ?? "");
  });

const isPeer = (peer: Peer, { labels, namespaceLabels }: End): boolean => {
  // The one block of the manifests holds no address that a test asks about.
  if (peer.ipBlock !== undefined) return false;
  if (peer.namespaceSelector !== undefined)
    return namespaceLabels !== undefined && selects(peer.namespaceSelector, namespaceLabels);
  return labels !== undefined && selects(peer.podSelector ?? {}, labels);
};

const allows = (
  rules: readonly Rule[] = [],
  side: "from" | "to",
  other: End,
  port: End["ports"][number],
): boolean =>
  rules.some(({ [side]: peers, ports }) => {
    const passes = peers === undefined || peers.some((peer) => isPeer(peer, other));
    return (
      passes && (ports === undefined || ports.some((each) => [port.name, port.number].includes(each.port)))
    );
  });

const isOpen = (
  policies: readonly Policy[],
  type: "Ingress" | "Egress",
  end: End,
  other: End,
  port: End["ports"][number],
): boolean => {
  const { labels } = end;
  if (labels === undefined) return true;
  const chosen = policies.filter(
    (policy) => policy.policyTypes.includes(type) && selects(policy.podSelector, labels),
  );
  if (chosen.length === 0) return true;
  return chosen.some((policy) =>
    type === "Ingress"
      ? allows(policy.ingress, "from", other, port)
      : allows(policy.egress, "to", other, port),
  );
};

/** Every `target:port` that `from` may open a connection to, where one of both is ours. */
export const reachable = (
  objects: readonly ClusterObject[],
  from: End,
  targets: readonly End[],
): string[] => {
  const policies = policiesOf(objects);
  return targets
    .filter((to) => from.labels !== undefined || to.labels !== undefined)
    .flatMap((to) =>
      to.ports
        .filter(
          (port) => isOpen(policies, "Egress", from, to, port) && isOpen(policies, "Ingress", to, from, port),
        )
        .map((port) => `${to.name}:${port.name}`),
    )
    .toSorted();
};
