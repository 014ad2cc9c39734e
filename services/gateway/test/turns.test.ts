import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { freePort } from "../../../stack/src/ports.ts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { metricsIn } from "../../../stack/src/testing/suites/read-metrics.ts";
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
let metricsUrl: string;

beforeAll(async () => {
  graph = graphOfTest();
  busy = await newTenant(graph);
  other = await newTenant(graph);
  upstream = await startFakeService();
  const metricsPort = await freePort();
  metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  gateway = await startGateway({
    METRICS_PORT: String(metricsPort),
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
const waitingForTurn = async (): Promise<number> => {
  const metrics = metricsIn(await (await fetch(metricsUrl)).text());
  return metrics.total("ikg_requests_waiting_for_turn");
};
const evaluations = "/access/v1/evaluation";
const many = (count: number, key: string, signal?: AbortSignal): Promise<number>[] =>
  Array.from({ length: count }, () => post(evaluations, key, signal));

/** Holds every request at the service until the test lets it go on. */
const hold = () => {
  const held: (() => void)[] = [];
  upstream.answer = (_request, response) => void held.push(() => void response.json({}));
  return {
    /** Waits until as many are held, and a little longer: more may come. */
    reached: async (count: number): Promise<number> => {
      await eventually(
        () => held.length,
        (now) => now >= count,
        { withinMs: 5_000, everyMs: 5 },
      );
      await wait(50);
      return held.length;
    },
    releaseAll: () => {
      upstream.answer = atOnce;
      for (const answer of held.splice(0)) answer();
    },
  };
};

const ok = (count: number): number[] => Array.from({ length: count }, () => 200);

/** Eight begin in each tenth of a second while the service holds them: on a slow machine some more than eight, of a hundred. */
const some = 60;

describe("a project with many requests at one time", () => {
  it("has all of them forwarded while no other project asks", async () => {
    const service = hold();
    const requests = many(40, busyKey);
    expect(await service.reached(40)).toBe(40);
    service.releaseAll();
    expect(await Promise.all(requests)).toEqual(ok(40));
  });

  it("has some forwarded at a time while another one asks, and loses none", async () => {
    await post(evaluations, otherKey);
    const arrivedBefore = upstream.arrived.length;
    const service = hold();
    const requests = many(100, busyKey);
    expect(await service.reached(8)).toBeLessThanOrEqual(some);
    await eventually(waitingForTurn, (now) => now > 0, { withinMs: 5_000, everyMs: 5 });
    // The other one is not kept waiting.
    const other = post(evaluations, otherKey);
    expect(await service.reached(9)).toBeLessThanOrEqual(some);
    service.releaseAll();
    expect(await other).toBe(200);
    expect(await Promise.all(requests)).toEqual(ok(100));
    expect(upstream.arrived.length - arrivedBefore).toBe(101);
    expect(await waitingForTurn()).toBe(0);
  });

  it("sends no request of a caller that disconnected while it waited", async () => {
    await post(evaluations, otherKey);
    const arrivedBefore = upstream.arrived.length;
    const service = hold();
    const first = many(8, busyKey);
    expect(await service.reached(8)).toBeLessThanOrEqual(some);
    const gone = new AbortController();
    const left = many(100, busyKey, gone.signal);
    const stays = post(evaluations, busyKey);
    await wait(100);
    gone.abort();
    expect((await Promise.allSettled(left)).map(({ status }) => status)).toEqual(left.map(() => "rejected"));
    await wait(50);
    service.releaseAll();
    expect(await Promise.all([...first, stays])).toEqual(ok(9));
    expect(upstream.arrived.length - arrivedBefore).toBeLessThanOrEqual(some);
  });
});
