import { describe, expect, it } from "@jest/globals";
import { type ClusterObject, type End, podsOf, reachable } from "./network.ts";

const workload = (name: string, ports: Readonly<Record<string, number>>): ClusterObject => ({
  kind: "Deployment",
  metadata: { name },
  spec: {
    template: {
      metadata: { labels: { app: name } },
      spec: {
        containers: [
          { ports: Object.entries(ports).map(([port, containerPort]) => ({ name: port, containerPort })) },
        ],
      },
    },
  },
});
const policy = (spec: object): ClusterObject => ({ kind: "NetworkPolicy", metadata: { name: "any" }, spec });
const of = (app: string) => ({ matchLabels: { app } });

const workloads = [workload("edge", { http: 80 }), workload("service", { http: 80, metrics: 90 })];
const outside: End = { name: "outside", ports: [{ name: "https", number: 443 }] };
const watchers: End = { name: "watchers", namespaceLabels: { name: "watchers" }, ports: [] };

const from = (name: string, ...policies: readonly ClusterObject[]): string[] => {
  const objects = [...workloads, ...policies];
  const ends = [...podsOf(objects), outside, watchers];
  const source = ends.find((end) => end.name === name);
  if (source === undefined) throw new Error(`no ${name}`);
  return reachable(
    objects,
    source,
    ends.filter((end) => end !== source),
  );
};

const closed = policy({ podSelector: {}, policyTypes: ["Ingress"] });

describe("who reaches whom", () => {
  it("is every pod without a policy, and none with one that allows nothing", () => {
    expect(from("outside")).toEqual(["edge:http", "service:http", "service:metrics"]);
    expect(from("outside", closed)).toEqual([]);
    // Only coming in is closed.
    expect(from("edge", closed)).toEqual(["outside:https"]);
  });

  it("is whom any one policy names, on the ports that it names", () => {
    const open = policy({
      podSelector: of("edge"),
      policyTypes: ["Ingress"],
      ingress: [{ ports: [{ port: "http" }] }],
    });
    const inner = policy({
      podSelector: of("service"),
      policyTypes: ["Ingress"],
      ingress: [{ from: [{ podSelector: of("edge") }], ports: [{ port: 80 }] }],
    });
    expect(from("outside", closed, open, inner)).toEqual(["edge:http"]);
    expect(from("edge", closed, open, inner)).toEqual(["outside:https", "service:http"]);
  });

  it("tells namespaces and addresses from pods", () => {
    const watched = policy({
      podSelector: {
        matchExpressions: [{ key: "app", operator: "In", values: ["service"] }],
      },
      policyTypes: ["Ingress"],
      ingress: [{ from: [{ namespaceSelector: { matchLabels: { name: "watchers" } } }] }],
    });
    expect(from("watchers", closed, watched)).toEqual(["service:http", "service:metrics"]);
    expect(from("outside", closed, watched)).toEqual([]);
    expect(from("edge", closed, watched)).toEqual(["outside:https"]);
  });

  it("ends where a pod may not go out", () => {
    const inside = policy({
      podSelector: of("edge"),
      policyTypes: ["Egress"],
      egress: [{ to: [{ podSelector: of("service") }], ports: [{ port: "http" }] }],
    });
    expect(from("edge", inside)).toEqual(["service:http"]);
    expect(from("edge", policy({ podSelector: of("edge"), policyTypes: ["Egress"], egress: [] }))).toEqual(
      [],
    );
  });

  it("is not guessed where a selector is not understood", () => {
    const odd = policy({
      podSelector: { matchExpressions: [{ key: "app", operator: "Exists" }] },
      policyTypes: ["Ingress"],
    });
    expect(() => from("outside", odd)).toThrow("Exists");
  });
});
