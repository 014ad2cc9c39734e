import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { StoredResolver } from "@ikg/catalog";
import type { ExecuteResponse } from "@ikg/contracts";
import { openEgress } from "@ikg/egress";
import type { Graph } from "@ikg/graph";
import { externalValueField } from "@ikg/physical";
import { isLongRun } from "../../../stack/src/testing/test-environment.ts";
import { openResolvers, type Resolvers } from "../src/resolvers/resolve.ts";
import { type Json, openProject, openTestGraph, type TestProject } from "./ciq-under-test.ts";
import { startUpstream, type Upstream } from "./upstream.ts";

const rows = 60;
const resetMs = 300;

let graph: Graph;
let upstream: Upstream;
let here: TestProject;
let resolvers: Resolvers;
/** What was counted and logged. */
let circuits: Record<string, number>;
let observed: string[];
let logged: Json[];

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
  upstream = await startUpstream();
  const ids = Array.from({ length: rows }, (_, index) => `c${String(index).padStart(2, "0")}`);
  const fields = { [externalValueField("x")]: "r" };
  here = await openProject(graph, {
    nodes: {
      "Nurse/n1": {},
      "Chart/old": { [externalValueField("x")]: "r", [externalValueField("y")]: "r" },
      ...Object.fromEntries(ids.map((id) => [`Chart/${id}`, fields])),
    },
    edges: ids.map((id) => ["Nurse/n1", "SEES", `Chart/${id}`] as const),
  });
});
afterAll(async () => {
  await here.drop();
  await upstream.close();
  await graph.close();
});
beforeEach(() => {
  upstream.forget();
  [circuits, observed, logged] = [{}, [], []];
  resolvers = openResolvers({
    egress: openEgress({ allowHttp: true, allowHosts: [], allowCidrs: ["127.0.0.0/8"] }),
    metrics: {
      gauge: () => ({ set: ({ state = "" }, value) => void (circuits[state] = value) }),
      histogram: () => ({ observe: ({ outcome = "" }) => void observed.push(outcome) }),
    },
    log: { warn: (message, of) => logged.push({ message, ...of }) },
    timeoutMs: 2_000,
    resetMs,
  });
});
afterEach(() => resolvers.close());

const resolver = (path: string, more: Partial<StoredResolver> = {}): StoredResolver => ({
  id: "gid:r",
  name: "r",
  version: 1,
  url: `${upstream.url}/${path}`,
  method: "GET",
  headers: {},
  payload: undefined,
  selector: ".current",
  ...more,
});

const policy = {
  subject: { type: "Nurse" },
  condition: { cypher: "MATCH (subject:Nurse)-[:SEES]->(chart:Chart)" },
  allowed_reads: { nodes: ["chart.*"] },
};
const ask = (stored: StoredResolver, pageSize = 1, params: Json = {}): Promise<ExecuteResponse> =>
  here.ask(
    policy,
    { nodes: ["chart.property.x"] },
    { pageSize, params, external: { stored: [stored], resolvers } },
  );
const reasons = ({ errors = [] }: ExecuteResponse): string[] => errors.map(({ reason }) => reason);

describe("the circuit of a resolver", () => {
  it("opens after failures, spares the service, tries it later and closes", async () => {
    const ill = resolver("status");
    for (let call = 0; call < 5; call++) expect(reasons(await ask(ill))).toEqual(["upstream_status"]);
    expect(circuits).toEqual({ open: 1, half_open: 0 });
    expect(reasons(await ask(ill))).toEqual(["circuit_open"]);
    expect(upstream.seen).toHaveLength(5);

    await pause(resetMs + 50);
    expect(circuits).toEqual({ open: 0, half_open: 1 });
    expect(reasons(await ask(ill))).toEqual(["upstream_status"]);
    expect(reasons(await ask(ill))).toEqual(["circuit_open"]);
    expect(upstream.seen).toHaveLength(6);

    await pause(resetMs + 50);
    upstream.status = 200;
    try {
      for (let call = 0; call < 2; call++) {
        expect(await ask(ill)).toEqual({ data: [{ nodes: { "chart.property.x": 1 } }] });
      }
    } finally {
      upstream.status = 500;
    }
    expect(circuits).toEqual({ open: 0, half_open: 0 });
    expect(observed).toEqual([
      ...Array.from({ length: 5 }, () => "upstream_status"),
      "circuit_open",
      "upstream_status",
      "circuit_open",
      "ok",
      "ok",
    ]);
  });

  it("is another one for another version", async () => {
    for (let call = 0; call < 6; call++) await ask(resolver("status"));
    expect(reasons(await ask(resolver("price", { version: 2 })))).toEqual([]);
    expect(reasons(await ask(resolver("price", { version: 1 })))).toEqual(["circuit_open"]);
  });

  type Case = [path: string, status: number];
  const harmless: Case[] = [
    ["status/{$missing}", 500],
    ["status", 404],
  ];
  const moreHarmless: Case[] = [
    ["status", 401],
    ["price-without", 200],
  ];

  const outcomes = isLongRun() ? [...harmless, ...moreHarmless] : harmless;

  it.each(outcomes)("stays closed for what says nothing of the service: %s %s", async (path, status) => {
    upstream.status = status;
    try {
      for (let call = 0; call < 8; call++) expect(reasons(await ask(resolver(path)))).toHaveLength(1);
    } finally {
      upstream.status = 500;
    }
    expect(circuits).toEqual({ open: 0, half_open: 0 });
  });

  const failures: Case[] = [
    ["status", 429],
    ["html", 200],
    ["drop", 200],
  ];
  const moreFailures: Case[] = [
    ["status", 408],
    ["status", 302],
  ];

  const opening = isLongRun() ? [...failures, ...moreFailures] : failures;

  it.each(opening)("opens for %s %s", async (path, status) => {
    upstream.status = status;
    try {
      for (let call = 0; call < 5; call++) await ask(resolver(path));
    } finally {
      upstream.status = 500;
    }
    expect(circuits["open"]).toBe(1);
  });

  it("lets thirty-two calls through at the same moment", async () => {
    upstream.waitMs = 500;
    try {
      const stored = resolver("wait/{$_externalId}/{$n}", { selector: ".url" });
      const answers = await Promise.all(Array.from({ length: 5 }, (_, n) => ask(stored, 8, { n })));
      expect(upstream.busiest).toBe(32);
      expect(new Set(answers.flatMap(reasons))).toEqual(new Set(["limit_exceeded"]));
      expect(answers.flatMap(reasons)).toHaveLength(8);
      expect(circuits).toEqual({ open: 0, half_open: 0 });
    } finally {
      upstream.waitMs = 50;
    }
  });
});

describe("an answer", () => {
  it("does not grow without end", async () => {
    const answer = await ask(resolver("nearly"), rows);
    expect(upstream.seen).toHaveLength(1);
    expect(answer.errors).toEqual(
      Array.from({ length: rows - 7 }, (_, index) => {
        return { row: 7 + index, path: "chart.property.x", resolver: "r", reason: "limit_exceeded" };
      }),
    );
    expect(answer.data.filter(({ nodes }) => nodes["chart.property.x"] !== null)).toHaveLength(7);
  });

  it("logs a reason once for each resolver", async () => {
    await ask(resolver("invalid/{$_externalId}"), 4);
    expect(logged).toEqual([
      { message: "an external value could not be resolved", resolver: "gid:r", reason: "invalid_json" },
    ]);
  });

  it("logs why there was no TLS connection, and does not say it to the caller", async () => {
    const plain = resolver("price", { url: upstream.url.replace("http:", "https:") });
    const { errors } = await ask(plain, 1);
    expect(errors).toEqual([
      { row: 0, path: "chart.property.x", resolver: "r", reason: "upstream_unreachable" },
    ]);
    expect(logged).toEqual([
      {
        message: "an external value could not be resolved",
        resolver: "gid:r",
        reason: "upstream_unreachable",
        cause: "no TLS connection to the resolver: it does not speak TLS",
      },
    ]);
  });

  it("has no value of a resolver that was stored under other rules", async () => {
    const old = resolver("price", { selector: "$[?search(@.a, 'x')]" });
    expect(reasons(await ask(old))).toEqual(["resolver_not_found"]);
    expect(logged).toEqual([
      { message: "an external value could not be resolved", resolver: "gid:r", reason: "resolver_not_found" },
    ]);
  });
});
