/** The connections that we want, beside those that the policies of an overlay allow. */
import { services, upstreams } from "../services/service-names.ts";
import { type ClusterObject, type End, podsOf, reachable } from "./network.ts";

/** Addresses that none of our pods has, with what services may want to call there. */
const outside: End = {
  name: "outside",
  ports: [
    { name: "https", number: 443 },
    { name: "http", number: 80 },
    { name: "otlp", number: 4318 },
    { name: "bolt", number: 7687 },
    { name: "redis", number: 6379 },
    { name: "ssh", number: 22 },
  ],
};
const monitoring: End = {
  name: "monitoring",
  namespaceLabels: { "kubernetes.io/metadata.name": "monitoring" },
  ports: [],
};
const stranger: End = {
  name: "stranger",
  namespaceLabels: { "kubernetes.io/metadata.name": "default" },
  ports: [],
};

/** Stores in the cluster or outside, databases of projects, and a receiver of traces. */
const stores = ["neo4j:bolt", "redis:redis", "outside:bolt", "outside:redis", "outside:otlp"];
const http = (names: readonly string[]): string[] => names.map((name) => `${name}:http`);

/** What every caller reaches: clients need no more. */
const clients = http(["gateway"]);
const metrics = services.map((name) => `${name}:metrics`);

/** Targets outside the namespace of its pods, and in it. Pods do not reach themselves here. */
const wanted: Readonly<Record<string, readonly string[]>> = {
  outside: clients,
  stranger: clients,
  monitoring: [...clients, ...metrics],
  ...Object.fromEntries(services.map((name) => [name, stores])),
  gateway: [...http(upstreams), ...stores, "outside:https"],
  access: [...stores, "outside:https"],
  ciq: [...stores, "outside:https", "outside:http"],
  mcp: [...http(["access", "ciq"]), ...stores, "outside:https"],
  audit: [...stores, "outside:https"],
  neo4j: [],
  redis: [],
};

/** One line for each end from which something else is reachable than we want. */
export const strayConnections = (
  objects: readonly ClusterObject[],
): { readonly ends: number; readonly faults: readonly string[] } => {
  const ends = [...podsOf(objects), outside, stranger, monitoring];
  const there = new Set(ends.map(({ name }) => name));
  const faults = ends.flatMap((from) => {
    const found = reachable(
      objects,
      from,
      ends.filter((end) => end !== from),
    );
    const expected = (wanted[from.name] ?? []).filter(
      (target) => there.has(target.split(":")[0] ?? "") && !target.startsWith(`${from.name}:`),
    );
    return found.join() === expected.toSorted().join()
      ? []
      : [`${from.name} reaches ${found.join(", ") || "nothing"}`];
  });
  return { ends: ends.length, faults };
};
