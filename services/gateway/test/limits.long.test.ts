import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { newCredential } from "@ikg/auth";
import { changesChannel } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import { Redis } from "ioredis";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { type FakeService, startFakeService } from "./fake-service.ts";
import { type GatewayProcess, startGateway } from "./gateway-process.ts";
import { graphOfTest, newTenant, type Tenant } from "./tenant.ts";

let graph: Graph;
let redis: Redis;
let heavy: Tenant;
let light: Tenant;
let upstream: FakeService;
let gateway: GatewayProcess;
let heavyKey: string;
let otherHeavyKey: string;
let lightKey: string;
const sockets: Socket[] = [];

const keyOf = async (tenant: Tenant): Promise<string> =>
  (await tenant.key(await tenant.agent(["Authorization", "Capture"]))).token;

beforeAll(async () => {
  graph = graphOfTest();
  redis = new Redis(requireVariable("REDIS_URL"));
  heavy = await newTenant(graph);
  light = await newTenant(graph);
  await heavy.limit({ requests_in_flight: 5 });
  upstream = await startFakeService();
  gateway = await startGateway({
    UPSTREAM_CONFIGS: upstream.url,
    UPSTREAM_CAPTURE: upstream.url,
    UPSTREAM_ACCESS: upstream.url,
    UPSTREAM_CIQ: upstream.url,
    CREDENTIAL_REQUESTS_IN_FLIGHT: "4",
    HEADERS_MS: "1500",
    ANONYMOUS_BODY_MS: "1500",
    PIPELINED_REQUESTS: "10",
    CAPTURE_BODY_MS: "1000",
    STREAM_BYTES_PER_SECOND: "1000",
    RATE_LIMIT_FAILED_PER_MINUTE: "200",
  });
  heavyKey = await keyOf(heavy);
  otherHeavyKey = await keyOf(heavy);
  lightKey = await keyOf(light);
});

afterAll(async () => {
  await gateway?.stop();
  await upstream?.kill();
  await heavy?.end();
  await light?.end();
  await graph?.close();
  await redis?.del("ikg:rate:failures:127.0.0.1");
  redis?.disconnect();
});

const normal: FakeService["answer"] = (_request, response, bytes) => void response.json({ bytes });

afterEach(() => {
  upstream.answer = normal;
  upstream.arrived.length = 0;
  for (const socket of sockets.splice(0)) socket.destroy();
});

const evaluate = async (key: string, signal?: AbortSignal) => {
  const response = await fetch(`${gateway.url}/access/v1/evaluation`, {
    method: "POST",
    headers: { "X-SVC-ClientKey": key, "Content-Type": "application/json" },
    body: "{}",
    ...(signal === undefined ? {} : { signal }),
  });
  return {
    status: response.status,
    retryAfter: response.headers.get("retry-after"),
    body: await response.json(),
  };
};

const until = (holds: () => boolean | Promise<boolean>): Promise<boolean> =>
  eventually(holds, Boolean, { withinMs: 3_000, everyMs: 10 });

/** Another record of the heavy project, and its announcement. */
const limitHeavy = async (limits: Parameters<typeof heavy.limit>[0]): Promise<void> => {
  await heavy.limit(limits);
  const { project: id, organization: organization_id } = heavy;
  const change = { kind: "project", id, organization_id, action: "updated" };
  await redis.publish(changesChannel, JSON.stringify(change));
};

/** Lets every request wait at the service until `release`. */
const hold = (): { readonly held: () => number; readonly release: () => void } => {
  const responses: (() => void)[] = [];
  upstream.answer = (_request, response) => void responses.push(() => void response.json({}));
  return {
    held: () => responses.length,
    release: () => {
      upstream.answer = normal;
      for (const answer of responses) answer();
    },
  };
};

interface Client {
  readonly socket: Socket;
  responseText: string;
}

const client = (text: string): Client => {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname, () => socket.write(text));
  sockets.push(socket);
  const made: Client = { socket, responseText: "" };
  socket.on("data", (piece) => (made.responseText += piece.toString("latin1"))).on("error", () => undefined);
  return made;
};

const request = (key: string, headers = "", body = "{}"): string =>
  `POST /access/v1/evaluation HTTP/1.1\r\nHost: x\r\nX-SVC-ClientKey: ${key}\r\n${headers}` +
  `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

const statusesIn = ({ responseText }: Client): string[] => responseText.match(/(?<=HTTP\/1\.1 )\d+/g) ?? [];

describe("requests in flight", () => {
  it("of one credential are limited, and another one of its project goes on", async () => {
    const waiting = hold();
    const evaluations = Array.from({ length: 4 }, () => evaluate(lightKey));
    await until(() => waiting.held() === 4);
    expect(await evaluate(lightKey)).toEqual({
      status: 429,
      retryAfter: "1",
      body: {
        message: "Too Many Requests",
        errors: [
          "credential requests in flight: at most 4 at one time (setting CREDENTIAL_REQUESTS_IN_FLIGHT, 4)",
        ],
      },
    });
    const other = evaluate(await keyOf(light));
    await until(() => waiting.held() === 5);
    waiting.release();
    expect((await Promise.all([...evaluations, other])).map(({ status }) => status)).toEqual([
      200, 200, 200, 200, 200,
    ]);
    expect((await evaluate(lightKey)).status).toBe(200);
  });

  it("of one project are limited by its record, and another project goes on", async () => {
    const waiting = hold();
    const evaluations = [heavyKey, heavyKey, heavyKey, otherHeavyKey, otherHeavyKey].map((key) =>
      evaluate(key),
    );
    await until(() => waiting.held() === 5);
    expect(await evaluate(heavyKey)).toEqual({
      status: 429,
      retryAfter: "1",
      body: {
        message: "Too Many Requests",
        errors: [
          "requests_in_flight: at most 5 requests of the project at one time (limit requests_in_flight, 5)",
        ],
      },
    });
    upstream.answer = normal;
    expect((await evaluate(lightKey)).status).toBe(200);
    waiting.release();
    expect((await Promise.all(evaluations)).every(({ status }) => status === 200)).toBe(true);
    expect((await evaluate(heavyKey)).status).toBe(200);
  });

  it("end with their callers", async () => {
    const waiting = hold();
    const leaving = new AbortController();
    const evaluations = Array.from({ length: 4 }, () =>
      evaluate(heavyKey, leaving.signal).catch(() => "left"),
    );
    await until(() => waiting.held() === 4);
    leaving.abort();
    expect(await Promise.all(evaluations)).toEqual(["left", "left", "left", "left"]);
    upstream.answer = normal;
    await until(async () => (await evaluate(heavyKey)).status === 200);
  });

  it("follow the record of the project within 2 s", async () => {
    await limitHeavy({ requests_in_flight: 1 });
    const waiting = hold();
    const evaluation = evaluate(heavyKey);
    await until(() => waiting.held() === 1);
    upstream.answer = normal;
    await until(async () => (await evaluate(heavyKey)).status === 429);
    waiting.release();
    expect((await evaluation).status).toBe(200);
  });
});

describe("requests in a second", () => {
  it("of one project are limited by its record, and another project goes on", async () => {
    await limitHeavy({ requests_per_second: 5 });
    // The credential, with the limits of its project, is read again with the announcement.
    await until(async () => (await evaluate(heavyKey)).status === 429);
    await wait(1_000);
    const began = performance.now();
    const answers: Awaited<ReturnType<typeof evaluate>>[] = [];
    for (let i = 0; i < 40; i++) answers.push(await evaluate(heavyKey));
    const seconds = (performance.now() - began) / 1_000;
    const admitted = answers.filter(({ status }) => status === 200).length;
    expect(admitted).toBeGreaterThanOrEqual(5);
    expect(admitted).toBeLessThanOrEqual(5 + Math.ceil(5 * seconds));
    const refused = answers.find(({ status }) => status !== 200);
    expect(refused).toEqual({
      status: 429,
      retryAfter: "1",
      body: {
        message: "Too Many Requests",
        errors: [
          "requests_per_second: at most 5 requests of the project in a second (limit requests_per_second, 5)",
        ],
      },
    });
    // Another credential of the project does not help: in this moment it has two at most.
    const more = await Promise.all(Array.from({ length: 4 }, () => evaluate(otherHeavyKey)));
    expect(more.map(({ status }) => status)).toContain(429);
    const others = await Promise.all(Array.from({ length: 4 }, () => evaluate(lightKey)));
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await limitHeavy({ requests_in_flight: 5 });
    await until(async () => (await evaluate(heavyKey)).status === 200);
  });
});

describe("pipelined requests of one connection", () => {
  it("reach the service one after the other; those beyond what may wait get 429, in order", async () => {
    let running = 0;
    let most = 0;
    upstream.answer = (_request, response) => {
      most = Math.max(most, ++running);
      setTimeout(() => {
        running--;
        response.json({});
      }, 100);
    };
    const one = client(request(lightKey).repeat(120));
    await until(() => running === 1);
    const began = performance.now();
    upstream.answer = normal;
    expect((await evaluate(await keyOf(light))).status).toBe(200);
    expect(performance.now() - began).toBeLessThan(1_000);
    await until(() => statusesIn(one).length === 120);
    const statuses = statusesIn(one);
    expect([most, statuses.indexOf("429"), new Set(statuses.slice(11))]).toEqual([1, 11, new Set(["429"])]);
  });
});

describe("a message that the service could read in another way", () => {
  it.each([
    ["two Host headers", "Host: y\r\n", "{}"],
    ["a second coding", "Transfer-Encoding: gzip, chunked\r\n", undefined],
  ])("is 400 and does not reach it: %s", async (_name, header, body) => {
    const text =
      body === undefined
        ? `POST /access/v1/evaluation HTTP/1.1\r\nHost: x\r\nX-SVC-ClientKey: ${lightKey}\r\n${header}\r\n2\r\n{}\r\n0\r\n\r\n`
        : request(lightKey, header, body);
    const one = client(text);
    await once(one.socket, "close");
    expect(statusesIn(one)).toEqual(["400"]);
    expect(upstream.arrived).toEqual([]);
  });

  it("is no path of it when its target has a scheme or an authority", async () => {
    for (const target of ["http://other/access/v1/evaluation", "//other/access/v1/evaluation", "*"]) {
      const one = client(request(lightKey).replace("/access/v1/evaluation", target));
      await until(() => statusesIn(one).length === 1);
      expect(statusesIn(one)).toEqual(["404"]);
    }
    expect(upstream.arrived).toEqual([]);
  });

  it("asks it for no upgrade", async () => {
    const one = client(request(lightKey, "Connection: Upgrade\r\nUpgrade: websocket\r\n"));
    await until(() => statusesIn(one).length === 1);
    expect(statusesIn(one)).toEqual(["200"]);
    expect([upstream.arrived[0]?.headers["upgrade"], upstream.arrived[0]?.headers.connection]).toEqual([
      undefined,
      "keep-alive",
    ]);
  });
});

describe("a caller that takes its time", () => {
  /** Sends a byte every 50 ms until the connection ends. @returns how long that took */
  const trickle = async (begin: string): Promise<[number, Client]> => {
    const one = client(begin);
    const began = performance.now();
    const closed = once(one.socket, "close");
    const drip = setInterval(() => one.socket.write("x"), 50);
    await Promise.race([closed, wait(10_000, undefined, { ref: false })]);
    clearInterval(drip);
    return [performance.now() - began, one];
  };
  const head = (key: string): string => request(key).replace("Content-Length: 2", "Content-Length: 5000");

  it.each([
    ["with headers", "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: "],
    ["with a body after its key was refused", ""],
  ])("and has no accepted credential is given up soon: %s", async (_name, text) => {
    const [ms, one] = await trickle(text === "" ? head("wrong") : text);
    expect(ms).toBeLessThan(6_000);
    expect(statusesIn(one)).toEqual([text === "" ? "401" : "408"]);
  });

  it("and has a valid key may take longer", async () => {
    const one = client(head(lightKey).replace("5000", "22"));
    await wait(2_800);
    one.socket.write('{"a": 1             ');
    await until(() => statusesIn(one).length === 1);
    expect(statusesIn(one)).toEqual(["200"]);
  });

  const upload = async (piece: string, pieces: number): Promise<number> => {
    let left = pieces;
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        if (left-- === 0) return controller.close();
        controller.enqueue(new TextEncoder().encode(piece));
        await wait(100);
      },
    });
    const answer = await fetch(`${gateway.url}/capture/v1/imports`, {
      method: "POST",
      headers: { "X-SVC-ClientKey": lightKey, "Content-Type": "application/x-ndjson" },
      body,
      duplex: "half",
    });
    await answer.arrayBuffer();
    return answer.status;
  };

  it("and uploads an import may take as long as it brings enough", async () => {
    expect(await upload("x".repeat(400), 30)).toBe(200);
    const began = performance.now();
    expect(await upload("x".repeat(10), 100)).toBe(408);
    expect(performance.now() - began).toBeLessThan(6_000);
  });
});

describe("a storm of unknown keys", () => {
  it("is refused with 401, then 429, and no valid key of its address waits for it", async () => {
    await redis.del("ikg:rate:failures:127.0.0.1");
    expect((await evaluate(lightKey)).status).toBe(200);
    const statuses: number[] = [];
    const ending = new AbortController();
    const attack = async (): Promise<void> => {
      while (!ending.signal.aborted) statuses.push((await evaluate(newCredential("ak1").token)).status);
    };
    const attackers = Array.from({ length: 50 }, attack);
    // The attack keeps this process busy.
    await eventually(
      () => statuses.length,
      (count) => count > 300,
      { withinMs: 10_000, everyMs: 10 },
    );
    const times: number[] = [];
    for (let i = 0; i < 30; i++) {
      const began = performance.now();
      // Each key is new to the gateway.
      const key = i % 3 === 0 ? await keyOf(light) : lightKey;
      const before = performance.now();
      expect((await evaluate(key)).status).toBe(200);
      times.push(performance.now() - (i % 3 === 0 ? before : began));
    }
    ending.abort();
    await Promise.all(attackers);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(200 * 2);
    // Waiting for the storm would show in each; a pause of this busy process shows in one or two.
    expect(times.toSorted((a, b) => a - b).at(-3)).toBeLessThan(1_500);
  });
});
