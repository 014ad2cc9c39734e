import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { type FakeService, startFakeService } from "./fake-service.ts";
import { type GatewayProcess, startGateway } from "./gateway-process.ts";
import { graphOfTest, newTenant, type Tenant } from "./tenant.ts";

let graph: Graph;
let busy: Tenant;
let other: Tenant;
let upstream: FakeService;
let gateway: GatewayProcess;
let busyKey: string;
let otherKey: string;

beforeAll(async () => {
  graph = graphOfTest();
  busy = await newTenant(graph);
  other = await newTenant(graph);
  upstream = await startFakeService();
  gateway = await startGateway({
    UPSTREAM_CONFIGS: upstream.url,
    UPSTREAM_CAPTURE: upstream.url,
    UPSTREAM_ACCESS: upstream.url,
    UPSTREAM_CIQ: upstream.url,
    NEO4J_HEAVY_STATEMENTS: "1",
  });
  const keyOf = async (tenant: Tenant): Promise<string> =>
    (await tenant.key(await tenant.agent(["Authorization", "ContXIQ"]))).token;
  [busyKey, otherKey] = await Promise.all([keyOf(busy), keyOf(other)]);
});

afterAll(async () => {
  await gateway?.stop();
  await upstream?.kill();
  await busy?.end();
  await other?.end();
  await graph?.close();
});

const atOnce: FakeService["answer"] = (_request, response) => void response.json({});

afterEach(() => {
  upstream.answer = atOnce;
});

const post = async (path: string, key: string, signal?: AbortSignal): Promise<number> => {
  const response = await fetch(`${gateway.url}${path}`, {
    method: "POST",
    headers: { "X-SVC-ClientKey": key, "Content-Type": "application/json" },
    body: "{}",
    ...(signal === undefined ? {} : { signal }),
  });
  await response.arrayBuffer();
  return response.status;
};
const evaluations = "/access/v1/evaluation";
const many = (count: number, key: string, signal?: AbortSignal): Promise<number>[] =>
  Array.from({ length: count }, () => post(evaluations, key, signal));

/** Answers after some milliseconds, and keeps how many requests were at the service at one time. */
const answerAfter = (ms: number) => {
  const seen = { now: 0, most: 0 };
  upstream.answer = (_request, response) => {
    seen.most = Math.max(seen.most, ++seen.now);
    void wait(ms).then(() => {
      seen.now -= 1;
      response.json({});
    });
  };
  return seen;
};

const ok = (count: number): number[] => Array.from({ length: count }, () => 200);

describe("a project with many requests at one time", () => {
  it("has all of them forwarded while no other project asks", async () => {
    const seen = answerAfter(300);
    expect(await Promise.all(many(40, busyKey))).toEqual(ok(40));
    expect(seen.most).toBe(40);
  });

  it("has eight forwarded at a time while another one asks, and none is lost", async () => {
    await post(evaluations, otherKey);
    const seen = answerAfter(20);
    expect(await Promise.all(many(60, busyKey))).toEqual(ok(60));
    expect(seen.most).toBe(8);
  });

  it("does not keep those of the other one waiting", async () => {
    await post(evaluations, otherKey);
    const seen = answerAfter(400);
    const waiting = many(20, busyKey);
    await eventually(
      () => seen.now,
      (now) => now >= 8,
      { withinMs: 3_000, everyMs: 5 },
    );
    const started = performance.now();
    expect(await post(evaluations, otherKey)).toBe(200);
    expect(performance.now() - started).toBeLessThan(800);
    upstream.answer = atOnce;
    expect(await Promise.all(waiting)).toEqual(ok(20));
  });

  it("loses the place of a caller that disconnects, and that alone", async () => {
    await post(evaluations, otherKey);
    const seen = answerAfter(300);
    const first = many(8, busyKey);
    await eventually(
      () => seen.now,
      (now) => now === 8,
      { withinMs: 3_000, everyMs: 5 },
    );
    const gone = new AbortController();
    const left = Promise.allSettled(many(20, busyKey, gone.signal));
    const stays = post(evaluations, busyKey);
    await wait(100);
    gone.abort();
    await left;
    expect(await Promise.all([...first, stays])).toEqual(ok(9));
    expect(upstream.arrived.filter(({ aborted }) => aborted)).toEqual([]);
  });
});
