import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { type CiqProcess, startCiqProcess } from "./ciq-process.ts";
import { type Json, openProject, openTestGraph, options, type TestProject } from "./ciq-under-test.ts";
import { type StoredProject, storeProject } from "./stored-project.ts";

/** Limits of a service with short limits, so far apart that one is not taken for the other. */
const queryMs = 3_000;
const batchReadMs = 8_000;
const pageSize = 1_000;

let graph: Graph;
let stored: StoredProject;
let data: TestProject;
let ciq: CiqProcess;
/** The service with its own limits, and with little memory. */
let small: CiqProcess;

const ofApplication = (cypher: string, more: Json = {}): Json => ({
  subject: { type: "_Application" },
  condition: { cypher },
  ...more,
});

/** 1,200 nodes at each of four places: soon planned, and never read to the end. */
const endless =
  "MATCH (subject:_Application) MATCH (t:Thing), (a:Wide), (b:Wide), (c:Wide), (d:Wide) WITH subject, t, count(*) AS n";

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
  stored = await storeProject(graph);
  ciq = await startCiqProcess({
    QUERY_TIMEOUT_MS: String(queryMs),
    BATCH_READ_TIMEOUT_MS: String(batchReadMs),
  });
  // A page of 5 MB is some 25 MB on its way: as rows of the driver, as rows of the answer, as text and bytes.
  small = await startCiqProcess({ NODE_OPTIONS: "--max-old-space-size=96" });
  const callers = [ciq, small].map(({ application }) => [`_Application/${application}`, {}] as const);
  const nodes = { ...Object.fromEntries(callers), "Thing/a": {} };
  data = await openProject(graph, { nodes, edges: [] }, stored.pk);

  const slow = await stored.policy(
    ofApplication(endless, {
      allowed_reads: { nodes: ["t.external_id"] },
      allowed_upserts: { nodes: { existing_nodes: ["t"] } },
    }),
  );
  const shown = { nodes: ["t.external_id"] };
  const mark = { name: "t", properties: [{ type: "marked", value: true }] };
  await stored.query("slow", slow, shown);
  await stored.query("slow-batch", slow, { ...shown, batch_read: true });
  await stored.query("slow-write", slow, { upsert_nodes: [mark] });

  const divided =
    "MATCH (subject:_Application) MATCH (w:Wide) WITH subject, w, 1 / (w.property.n - 900) AS share";
  await stored.query(
    "faulty",
    await stored.policy(ofApplication(divided, { allowed_reads: { aggregate_values: ["share"] } })),
    { nodes: [], aggregate_values: ["share"] },
  );
  const wide = "MATCH (subject:_Application) MATCH (w:Wide)";
  await stored.query(
    "wide",
    await stored.policy(ofApplication(wide, { allowed_reads: { nodes: ["w.*"] } })),
    {
      nodes: ["w.*"],
    },
  );
  await data.run(
    `UNWIND range(1, 1200) AS n
     CREATE (w:_Node:_P__${stored.pk}:Wide__${stored.pk})
     SET w = {_key: $prefix + toString(n), external_id: toString(n), type: 'Wide', id: toString(n), n: n, text: $text}`,
    { prefix: `${stored.pk}/Wide/`, text: "w".repeat(5_000) },
  );
});
afterAll(async () => {
  await ciq?.end();
  await small?.end();
  await data?.run(`MATCH (w:Wide__${stored.pk}) CALL (w) { DETACH DELETE w }`);
  await data?.drop();
  await stored?.remove();
  await graph.close();
});

/** Transactions on the server that this request runs. */
const running = async (requestId: string): Promise<number> => {
  const [row] = await graph.shared.read(
    "SHOW TRANSACTIONS YIELD metaData WHERE metaData.request_id = $id RETURN count(*) AS count",
    { id: requestId },
    options,
  );
  return Number(row?.["count"]);
};

const soon = (isExpected: (count: number) => boolean, requestId: string): Promise<number> =>
  eventually(() => running(requestId), isExpected, { withinMs: 10_000, everyMs: 50 });
const some = (count: number): boolean => count > 0;
const none = (count: number): boolean => count === 0;

const headersOf = (requestId: string, more: Readonly<Record<string, string>> = {}) => ({
  headers: { "X-Request-ID": requestId, ...more },
});

describe("a query past its time limit", () => {
  it.each([
    ["slow", queryMs],
    ["slow-write", queryMs],
    ["slow-batch", batchReadMs],
  ] as const)("%s is 408 after %d ms, and its transaction is gone", async (id, limit) => {
    const requestId = `limit-${id}-${stored.pk}`;
    const started = performance.now();
    const execution = ciq.execute(stored, { id }, headersOf(requestId));
    await soon(some, requestId);
    const { status, body } = await execution;
    const ms = performance.now() - started;
    expect([status, body]).toEqual([408, { message: "Request Timeout" }]);
    expect(ms).toBeGreaterThanOrEqual(limit - 50);
    expect(ms).toBeLessThan(limit + 4_500);
    await soon(none, requestId);
    expect((await data.node("Thing/a"))?.fields).not.toHaveProperty("marked");
  });
});

describe("a caller who goes away in the middle", () => {
  it.each([
    ["of a read", "slow", {}],
    ["of a write", "slow-write", {}],
    ["of the explanation of a write", "slow-write", { "X-Explain": "true" }],
  ])("%s ends the transaction", async (_name, id, more) => {
    const requestId = `gone-${id}-${Object.keys(more).length}-${stored.pk}`;
    const caller = new AbortController();
    const execution = small.execute(stored, { id }, { ...headersOf(requestId, more), signal: caller.signal });
    const left = Promise.allSettled([execution]);
    const started = performance.now();
    await soon(some, requestId);
    caller.abort();
    expect(await left).toMatchObject([{ status: "rejected" }]);
    await soon(none, requestId);
    // Long before its limit of 30 s would have ended it.
    expect(performance.now() - started).toBeLessThan(20_000);
    expect((await data.node("Thing/a"))?.fields).not.toHaveProperty("marked");
  });

  it("leaves the service to others, whose connections are good", async () => {
    const callers = Array.from({ length: 20 }, () => new AbortController());
    const executions = callers.map(({ signal }, n) =>
      small.execute(stored, { id: "slow" }, { ...headersOf(`crowd-${n}-${stored.pk}`), signal }),
    );
    const all = Promise.allSettled(executions);
    await pause(300);
    for (const caller of callers) caller.abort();
    await all;
    const { status, body } = await small.execute(stored, { id: "wide", page_size: 1 });
    expect([status, (body["data"] as unknown[]).length]).toEqual([200, 1]);
    for (const n of callers.keys()) await soon(none, `crowd-${n}-${stored.pk}`);
  });
});

describe("a page of many wide rows", () => {
  it("is answered only when it is complete: a fault in its last rows is a 422, not half an answer", async () => {
    const { status, body } = await small.execute(stored, { id: "faulty", page_size: pageSize });
    expect([status, Object.keys(body)]).toEqual([422, ["message", "errors"]]);
  });

  it("is never more than 1,000 rows", async () => {
    const { status, body } = await ciq.execute(stored, { id: "wide", page_size: pageSize + 1 });
    expect([status, body["errors"]]).toEqual([400, ["page_size: 1-1000"]]);
  });

  it("is forgotten when it is answered: reading it again and again stays within a small heap", async () => {
    const read = async (): Promise<void> => {
      const { status, body } = await small.execute(stored, { id: "wide", page_size: pageSize });
      expect([status, (body["data"] as unknown[]).length]).toEqual([200, pageSize]);
    };
    const mostOf = async (times: number): Promise<number> => {
      let most = 0;
      for (let n = 0; n < times; n++) {
        await read();
        most = Math.max(most, small.memory());
      }
      return most;
    };
    // The heap grows to what it may take first.
    const warm = await mostOf(24);
    const later = await mostOf(14);
    // 38 pages are 190 MB of text: who keeps them does not come this far.
    expect({ warm, later, flat: later < warm + 60 }).toEqual({ warm, later, flat: true });
  }, 240_000);
});
