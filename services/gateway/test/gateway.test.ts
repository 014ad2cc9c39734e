import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { randomUUID } from "node:crypto";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { Redis } from "ioredis";
import { verifyInternalContext } from "@ikg/auth";
import { changesChannel, type Gid, newGid } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import { required } from "./environment.ts";
import { type FakeService, startFakeService } from "./fake-service.ts";
import { contextKey, type GatewayProcess, startGateway } from "./gateway-process.ts";
import { graphOfTest, newTenant, type Tenant } from "./tenant.ts";

let graph: Graph;
let redis: Redis;
let tenant: Tenant;
let upstream: FakeService;
let gateway: GatewayProcess;
let agent: Gid;
let key: string;
let account: string;

beforeAll(async () => {
  graph = graphOfTest();
  redis = new Redis(required("REDIS_URL"));
  tenant = await newTenant(graph);
  upstream = await startFakeService();
  gateway = await startGateway({
    UPSTREAM_CONFIGS: upstream.url,
    UPSTREAM_CAPTURE: upstream.url,
    UPSTREAM_ACCESS: upstream.url,
    UPSTREAM_CIQ: upstream.url,
    LIMIT_CONFIGS_MS: "500",
    LIMIT_ACCESS_MS: "500",
    BODY_MS: "2000",
    LIMIT_CAPTURE_MS: "500",
    CIRCUIT_RESET_MS: "300",
  });
  agent = await tenant.agent(["Authorization", "Capture", "ContXIQ"]);
  key = (await tenant.key(agent)).token;
  account = (await tenant.account("all_editor")).token;
});

afterAll(async () => {
  await gateway?.stop();
  await upstream?.kill();
  await tenant?.end();
  await graph?.close();
  redis?.disconnect();
});

const normal: FakeService["answer"] = (_request, response, bytes) => void response.json({ bytes });

afterEach(() => {
  upstream.early = undefined;
  upstream.answer = normal;
  upstream.arrived.length = 0;
});

const call = async (method: string, path: string, init: Omit<RequestInit, "method"> = {}) => {
  const response = await fetch(gateway.url + path, { method, ...init });
  const text = await response.text();
  const body: unknown = text === "" ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, body };
};

const evaluation = (headers: Record<string, string> = {}, body = "{}") =>
  call("POST", "/access/v1/evaluation", {
    headers: { "X-SVC-ClientKey": key, "Content-Type": "application/json", ...headers },
    body,
  });
const list = () => call("GET", "/configs/v1/projects", { headers: { Authorization: `Bearer ${account}` } });
const create = () =>
  call("POST", "/configs/v1/projects", { headers: { Authorization: `Bearer ${account}` }, body: "{}" });

const announce = (kind: string, id: Gid, kid?: string) =>
  redis.publish(
    changesChannel,
    JSON.stringify({
      kind,
      id,
      organization_id: tenant.organization,
      action: "updated",
      ...(kid ? { kid } : {}),
    }),
  );

/** Asks until the answer has this status; the announcement takes a moment. */
const becomes = async (status: number, ask: () => Promise<{ status: number }>): Promise<number> => {
  const started = Date.now();
  while ((await ask()).status !== status) {
    if (Date.now() - started > 3_000) throw new Error(`still not ${status} after 3 s`);
    await wait(20);
  }
  return Date.now() - started;
};

describe("route and method come before the credential", () => {
  it.each([
    "/",
    "/nope",
    "/configs/v1",
    "/access/v1/evaluations/x",
    "/configs/v1/projects//",
    "/access/v2/evaluation",
  ])("404 for %s", async (path) => {
    const { status, body, headers } = await call("GET", path);
    expect({ status, body }).toEqual({ status: 404, body: { message: "Not Found" } });
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  });

  it.each([
    ["GET", "/access/v1/evaluation", "POST"],
    ["DELETE", "/capture/v1/nodes/", "POST, PUT"],
    ["PATCH", "/configs/v1/projects", "POST, GET, HEAD"],
    ["OPTIONS", "/ciq/v1/execute", "POST"],
  ])("405 for %s %s with Allow", async (method, path, allow) => {
    const { status, headers } = await call(method, path);
    expect({ status, allow: headers.get("allow") }).toEqual({ status: 405, allow });
  });
});

describe("credentials", () => {
  it("wants a key on the data plane", async () => {
    const { status, headers, body } = await call("POST", "/access/v1/evaluation", {
      headers: { Authorization: `Bearer ${account}` },
    });
    expect(status).toBe(401);
    expect(headers.get("www-authenticate")).toBe("ClientKey");
    expect(body).toEqual({ message: "client key missing or not valid" });
  });

  it.each([
    ["empty", () => ""],
    ["a service account's token", () => account],
    ["wrong checksum", () => key.replace(/.$/, (last) => (last === "0" ? "1" : "0"))],
    ["quotes and control", () => `'"\\u0027\tx`],
    ["long", () => "a".repeat(8_000)],
  ])("refuses a key: %s", async (_name, value) => {
    expect((await evaluation({ "X-SVC-ClientKey": value() })).status).toBe(401);
    expect(upstream.arrived).toEqual([]);
  });

  it("wants a service account's bearer on /configs", async () => {
    const none = await call("GET", "/configs/v1/projects", { headers: { "X-SVC-ClientKey": key } });
    expect([none.status, none.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    const wrong = await call("GET", "/configs/v1/projects", { headers: { Authorization: `Bearer ${key}` } });
    expect([wrong.status, wrong.headers.get("www-authenticate")]).toEqual([
      401,
      'Bearer error="invalid_token"',
    ]);
    expect((await list()).status).toBe(200);
  });

  it("lets a viewer read and nothing else", async () => {
    const viewer = (await tenant.account("all_viewer")).token;
    const headers = { Authorization: `bearer ${viewer}` };
    expect((await call("GET", "/configs/v1/projects/gid%3Ax", { headers })).status).toBe(200);
    expect((await call("POST", "/configs/v1/projects", { headers })).status).toBe(403);
    expect((await call("DELETE", "/configs/v1/projects/x", { headers })).status).toBe(403);
    // A body that is only judged changes nothing.
    const validate = "/configs/v1/authorization-policies/validate";
    expect((await call("POST", validate, { headers })).status).toBe(200);
  });

  it("names the missing permission", async () => {
    const reader = (await tenant.key(await tenant.agent(["ContXIQ"]))).token;
    const { status, body } = await evaluation({ "X-SVC-ClientKey": reader });
    expect({ status, body }).toEqual({ status: 403, body: { message: "permission missing: Authorization" } });
  });

  it("refuses an expired key, also when it expires while it is remembered", async () => {
    const past = (await tenant.key(agent, new Date(Date.now() - 1_000))).token;
    expect((await evaluation({ "X-SVC-ClientKey": past })).status).toBe(401);
    const soon = (await tenant.key(agent, new Date(Date.now() + 700))).token;
    expect((await evaluation({ "X-SVC-ClientKey": soon })).status).toBe(200);
    await wait(750);
    expect((await evaluation({ "X-SVC-ClientKey": soon })).status).toBe(401);
  });

  it("refuses a key within 2 s of its revocation", async () => {
    const revoked = await tenant.key(agent);
    const ask = () => evaluation({ "X-SVC-ClientKey": revoked.token });
    expect((await ask()).status).toBe(200);
    await tenant.remove(revoked.id);
    await announce("application_agent_credential", revoked.id, revoked.kid);
    expect(await becomes(401, ask)).toBeLessThan(2_000);
  });

  it("follows a changed permission within 2 s, with a new internal context", async () => {
    const changing = await tenant.agent(["Authorization"]);
    const { token } = await tenant.key(changing);
    const ask = () => evaluation({ "X-SVC-ClientKey": token });
    expect((await ask()).status).toBe(200);
    await tenant.setPermissions(changing, ["ContXIQ"]);
    await announce("application_agent", changing);
    expect(await becomes(403, ask)).toBeLessThan(2_000);
    await tenant.setPermissions(changing, ["Authorization"]);
    await announce("application_agent", changing);
    expect(await becomes(200, ask)).toBeLessThan(2_000);
  });

  it("takes a key as the bearer of a client that knows one header only, and does not pass it on", async () => {
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      const { status } = await call("POST", "/access/v1/evaluation", {
        headers: { Authorization: `${scheme} ${key}`, "Content-Type": "application/json" },
        body: "{}",
      });
      expect(status).toBe(200);
    }
    expect(upstream.arrived).toHaveLength(3);
    for (const { headers } of upstream.arrived) {
      expect(JSON.stringify(headers)).not.toContain(key);
      expect(headers.authorization).toBeUndefined();
      const context = String(headers["x-internal-context"]);
      expect(await verifyInternalContext(contextKey, "access")(context)).toMatchObject({ caller: { agent } });
    }
  });

  it("refuses a bearer that is a key with a typo as a key", async () => {
    const typo = key.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    for (const bearer of [typo, "ak1_", `${key}x`]) {
      const { status, headers } = await call("POST", "/access/v1/evaluation", {
        headers: { Authorization: `Bearer ${bearer}` },
      });
      expect([status, headers.get("www-authenticate")]).toEqual([401, "ClientKey"]);
    }
    expect(upstream.arrived).toEqual([]);
  });

  it.each([
    ["the same key", () => key],
    ["a key with a typo", () => `${key}x`],
  ])("refuses keys in both places: %s", async (_name, bearer) => {
    const { status, headers, body } = await evaluation({ Authorization: `Bearer ${bearer()}` });
    expect([status, headers.get("www-authenticate")]).toEqual([400, 'Bearer error="invalid_request"']);
    expect(body).toEqual({
      message: "Bad Request",
      errors: ["Authorization: a client key stands here and in X-SVC-ClientKey; send it in one of them"],
    });
    expect(upstream.arrived).toEqual([]);
  });

  it("says that nothing follows Bearer, with and without a key", async () => {
    const answer = {
      status: 400,
      body: { message: "Bad Request", errors: ["Authorization: no token after Bearer"] },
    };
    expect(await evaluation({ Authorization: "Bearer " })).toMatchObject(answer);
    for (const [method, path] of [
      ["POST", "/access/v1/evaluation"],
      ["GET", "/configs/v1/projects"],
    ] as const)
      expect(await call(method, path, { headers: { Authorization: "Bearer " } })).toMatchObject(answer);
    expect(upstream.arrived).toEqual([]);
  });

  it("refuses two Authorization headers and a broken one before anything is passed on", async () => {
    const two = await raw(
      `POST /access/v1/evaluation HTTP/1.1\r\nHost: x\r\nX-SVC-ClientKey: ${key}\r\n` +
        "Authorization: Bearer a\r\nAuthorization: Bearer b\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    );
    expect(two).toMatch(/^HTTP\/1.1 400 /);
    expect(two).toContain('WWW-Authenticate: Bearer error="invalid_request"');
    expect((await evaluation({ Authorization: "Bearer a b" })).status).toBe(400);
    expect(upstream.arrived).toEqual([]);
  });
});

const nothingArrived = (): never => {
  throw new Error("nothing arrived at the service");
};

/** Sends bytes as they are and gives everything that came back. */
const raw = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(gateway.url);
    let answer = "";
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on("data", (chunk) => (answer += chunk.toString("latin1"))).on("close", () => resolve(answer));
    socket.on("error", reject);
  });

describe("what reaches the service", () => {
  it("is the request without the key and inner headers, with the internal context", async () => {
    const { status } = await evaluation({
      "X-Internal-Context": "forged",
      "X-Internal-Anything": "forged",
      Authorization: "Bearer user.token.here",
      "X-Request-ID": "abc",
    });
    expect(status).toBe(200);
    const { headers, url, method } = upstream.arrived[0] ?? nothingArrived();
    expect({ method, url }).toEqual({ method: "POST", url: "/access/v1/evaluation" });
    expect(headers["x-svc-clientkey"]).toBeUndefined();
    expect(headers["x-internal-anything"]).toBeUndefined();
    expect(headers.authorization).toBe("Bearer user.token.here");
    expect(headers["x-request-id"]).toBe("abc");
    const context = String(headers["x-internal-context"]);
    const { caller, address } = await verifyInternalContext(contextKey, "access")(context);
    expect(address).toBe("127.0.0.1");
    expect(caller).toMatchObject({
      kind: "agent",
      agent,
      project: tenant.project,
      org: tenant.organization,
      permissions: ["Authorization", "Capture", "ContXIQ"],
    });
    await expect(verifyInternalContext(contextKey, "ciq")(context)).rejects.toMatchObject({
      code: "internal_context_invalid",
    });
  });

  it("never holds the service account's token, and paths pass as they were written", async () => {
    await call("GET", "/configs/v1/projects/gid%3Aabc/?version=1&x=%20", {
      headers: { Authorization: `Bearer ${account}` },
    });
    expect(upstream.arrived[0]?.url).toBe("/configs/v1/projects/gid%3Aabc/?version=1&x=%20");
    expect(upstream.arrived[0]?.headers.authorization).toBeUndefined();
  });

  it("is not framed anew by a body on a GET", async () => {
    const inner = "GET /secret HTTP/1.1\r\nHost: x\r\n\r\n";
    const answer = await raw(
      `GET /configs/v1/projects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${account}\r\nConnection: close\r\n` +
        `Transfer-Encoding: chunked\r\n\r\n${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(upstream.arrived.map(({ url }) => url)).toEqual(["/configs/v1/projects"]);
  });

  it("is refused when it is framed twice", async () => {
    const answer = await raw(
      `POST /access/v1/evaluation HTTP/1.1\r\nHost: x\r\nX-SVC-ClientKey: ${key}\r\n` +
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain('{"message":"Bad Request"}');
    expect(upstream.arrived).toEqual([]);
  });

  it("gives its answer back without inner and connection headers", async () => {
    upstream.answer = (_request, response) => {
      response.set({
        "X-Internal-Secret": "s",
        ETag: '"q"',
        "X-Request-ID": "other",
        "Keep-Alive": "timeout=9",
      });
      response.status(201).json({ a: 1 });
    };
    const { status, headers, body } = await evaluation({ "X-Request-ID": "mine" });
    expect({ status, body }).toEqual({ status: 201, body: { a: 1 } });
    expect(headers.get("x-internal-secret")).toBeNull();
    expect(headers.get("etag")).toBe('"q"');
    expect(headers.get("x-request-id")).toBe("mine");
    expect(headers.get("keep-alive")).not.toBe("timeout=9");
  });
});

describe("bodies", () => {
  const chunked = (bytes: number, path: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const sending = httpRequest(gateway.url + path, {
        method: "POST",
        headers: { "X-SVC-ClientKey": key },
      });
      sending.on("response", (response) => {
        response.resume().on("end", () => resolve(response.statusCode ?? 0));
      });
      sending.on("error", reject);
      const piece = Buffer.alloc(64 * 1024, 97);
      let left = bytes;
      const next = (): void => {
        if (left <= 0) sending.end();
        else {
          const part = piece.subarray(0, Math.min(left, piece.length));
          left -= part.length;
          sending.write(part, next);
        }
      };
      next();
    });
  const mebi = 1024 * 1024;

  it("stream through, whole or in chunks, up to the limit", async () => {
    expect((await evaluation({}, "a".repeat(2 * mebi))).body).toEqual({ bytes: 2 * mebi });
    expect(await chunked(2 * mebi, "/access/v1/evaluation")).toBe(200);
    expect(await chunked(10 * mebi, "/capture/v1/nodes")).toBe(200);
    expect(upstream.arrived.map(({ bytes }) => bytes)).toEqual([2 * mebi, 2 * mebi, 10 * mebi]);
  });

  it("are 413 beyond it, and the service never sees the end", async () => {
    expect((await evaluation({}, "a".repeat(2 * mebi + 1))).status).toBe(413);
    expect(upstream.arrived).toEqual([]);
    expect(await chunked(2 * mebi + 1, "/access/v1/evaluation")).toBe(413);
    expect(await chunked(10 * mebi + 1, "/capture/v1/nodes")).toBe(413);
    expect(upstream.arrived.filter(({ aborted }) => !aborted)).toEqual([]);
  });
});

describe("a connection after an answer that came early", () => {
  /** Begins a request with a body, waits for its answer, sends the rest and then another request on the same connection. */
  const goOn = async (framing: string, first: string, rest: string): Promise<[string, string]> => {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    let heard = "";
    const hears = async (pattern: RegExp): Promise<string> => {
      for (const until = Date.now() + 5_000; Date.now() < until; await wait(10)) {
        const [found] = pattern.exec(heard) ?? [];
        if (found !== undefined) return found;
      }
      return "nothing";
    };
    socket.on("data", (chunk) => (heard += chunk.toString("latin1"))).on("error", () => undefined);
    socket.write(
      `POST /access/v1/evaluation HTTP/1.1\r\nHost: x\r\nX-SVC-ClientKey: ${key}\r\n${framing}\r\n\r\n${first}`,
    );
    const early = await hears(/^HTTP\/1.1 \d+/);
    heard = "";
    socket.write(`${rest}GET /nope HTTP/1.1\r\nHost: x\r\n\r\n`);
    const next = await hears(/HTTP\/1.1 \d+/);
    socket.destroy();
    return [early, next];
  };
  const half = "a".repeat(100_000);
  const chunk = `${half.length.toString(16)}\r\n${half}\r\n`;

  it.each([
    ["of a known length", "Content-Length: 200000", half, half],
    ["in chunks", "Transfer-Encoding: chunked", chunk, `${chunk}0\r\n\r\n`],
  ])("goes on, whether the service answered or was lost (a body %s)", async (_name, ...request) => {
    upstream.early = (_request, response) => void response.status(422).json({ message: "early" });
    expect(await goOn(...request)).toEqual(["HTTP/1.1 422", "HTTP/1.1 404"]);
    upstream.early = (request) => void request.socket.destroy();
    expect(await goOn(...request)).toEqual(["HTTP/1.1 503", "HTTP/1.1 404"]);
  });

  it("takes nothing of the service when the caller left before", async () => {
    const { hostname, port } = new URL(gateway.url);
    for (let i = 0; i < 20; i++) {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST /access/v1/evaluation HTTP/1.1\r\nHost: x\r\nX-SVC-ClientKey: ${key}\r\nTransfer-Encoding: chunked\r\n\r\n`,
          () => socket.resetAndDestroy(),
        );
      });
      socket.on("error", () => undefined);
    }
    await wait(300);
    expect(upstream.unfinished()).toBe(0);
  });
});

describe("X-Request-ID", () => {
  it.each([
    ["as sent", "abc-123"],
    ["with blanks", "a b"],
    ["longer than what is logged", "x".repeat(300)],
  ])("comes back %s, on every status", async (_name, id) => {
    const header = { "X-Request-ID": id };
    const answers = [
      await evaluation(header),
      await evaluation({ ...header, "X-SVC-ClientKey": "wrong" }),
      await call("GET", "/nope", { headers: header }),
      await call("GET", "/ciq/v1/execute", { headers: header }),
      await evaluation(header, "a".repeat(2 * 1024 * 1024 + 1)),
      await call("GET", "/healthz", { headers: header }),
      await call("GET", "/readyz", { headers: header }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, 405, 413, 200, 200]);
    expect(answers.map(({ headers }) => headers.get("x-request-id"))).toEqual(answers.map(() => id));
  });

  it("is made when absent", async () => {
    expect((await call("GET", "/nope")).headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("may hold any byte that HTTP lets through", async () => {
    const answer = await raw(
      "GET /nope HTTP/1.1\r\nHost: x\r\nX-Request-ID: a\xff\tb\r\nConnection: close\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1.1 404 /);
  });
});

describe("a service that is lost or late", () => {
  /** Lets the circuit close again. */
  const recover = async () => {
    upstream.answer = normal;
    await becomes(200, evaluation);
    await becomes(200, list);
  };

  it("killed half way: 502 for a GET, 500 for a write, 503 for a decision", async () => {
    upstream.answer = (request) => void request.socket.destroy();
    expect((await list()).status).toBe(502);
    expect((await create()).status).toBe(500);
    const decision = await evaluation();
    expect([decision.status, decision.headers.get("retry-after")]).toEqual([503, "2"]);
    await recover();
  });

  it("loses a connection once: a GET is sent again, nothing else is", async () => {
    const dropFirst = () => {
      upstream.arrived.length = 0;
      upstream.answer = (request) => {
        upstream.answer = normal;
        request.socket.destroy();
      };
    };
    dropFirst();
    expect((await list()).status).toBe(200);
    expect(upstream.arrived.length).toBe(2);
    dropFirst();
    expect((await create()).status).toBe(500);
    expect(upstream.arrived.length).toBe(1);
    dropFirst();
    expect((await evaluation()).status).toBe(503);
    expect(upstream.arrived.length).toBe(1);
    await recover();
  });

  it("too slow: 504 for a GET, 500 for a write, 503 for a decision", async () => {
    upstream.answer = () => undefined;
    const [read, write, decision] = await Promise.all([list(), create(), evaluation()]);
    expect([read.status, write.status, decision.status]).toEqual([504, 500, 503]);
    expect(read.body).toEqual({ message: "Gateway Timeout" });
    await recover();
  });

  it("never reached: 503 with Retry-After for everything", async () => {
    await upstream.kill();
    for (const answer of [await list(), await create(), await evaluation()]) {
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
      expect(answer.body).toEqual({ message: "Service Unavailable" });
    }
    await upstream.revive();
    await recover();
  });

  it("opens the circuit: nothing is sent, and later it closes by itself", async () => {
    upstream.answer = (request, response) =>
      request.url.startsWith("/access") ? void request.socket.destroy() : void response.json({});
    for (let i = 0; i < 40; i++) await evaluation();
    upstream.arrived.length = 0;
    for (let i = 0; i < 5; i++) expect((await evaluation()).status).toBe(503);
    expect(upstream.arrived.length).toBeLessThan(5);
    // A line reaches this process a moment after the answer.
    const isSaid = () =>
      gateway.logs.some(({ msg, upstream: to }) => msg === "circuit open" && to === "access");
    await becomes(200, () => Promise.resolve({ status: isSaid() ? 200 : 0 }));
    expect((await list()).status).toBe(200);
    await recover();
    expect((await evaluation()).status).toBe(200);
  });

  it("does not count errors of the caller or of the service's own", async () => {
    // A 503 is one decision past its limit, or the graph away: the service itself is well, and quick to say so.
    for (const status of [400, 404, 422, 500, 503]) {
      upstream.answer = (_request, response) => void response.status(status).json({ message: "x" });
      for (let i = 0; i < 15; i++) expect((await evaluation()).status).toBe(status);
    }
  });

  it("is not held by a body that trickles in: 408 within the limit, and the others go on", async () => {
    upstream.answer = (_request, response) => void response.json({});
    const { hostname, port } = new URL(gateway.url);
    const trickle = async (): Promise<string> => {
      const socket = connect(Number(port), hostname);
      let heard = "";
      socket.on("data", (chunk) => (heard += chunk.toString()));
      socket.on("error", () => undefined);
      const ended = new Promise<void>((resolve) => void socket.on("close", () => resolve()));
      socket.write(
        `POST /access/v1/evaluation HTTP/1.1\r\nHost: x\r\nX-SVC-ClientKey: ${key}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"a": 1',
      );
      const drip = setInterval(() => socket.write(" "), 100);
      await Promise.race([ended, wait(10_000, undefined, { ref: false })]);
      clearInterval(drip);
      socket.destroy();
      return heard;
    };
    const slow = Array.from({ length: 100 }, trickle);
    await wait(300);
    expect((await evaluation()).status).toBe(200);
    for (const answer of await Promise.all(slow)) expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect((await evaluation()).status).toBe(200);
  });

  it("is told when the caller leaves", async () => {
    let left: (() => void) | undefined;
    const gone = new Promise<void>((resolve) => (left = resolve));
    const arrived = new Promise<void>((resolve) => {
      upstream.answer = (_request, response) => {
        response.on("close", () => left?.());
        resolve();
      };
    });
    const leaving = new AbortController();
    const asked = fetch(`${gateway.url}/access/v1/evaluation`, {
      method: "POST",
      headers: { "X-SVC-ClientKey": key },
      body: "{}",
      signal: leaving.signal,
    });
    await arrived;
    leaving.abort();
    await expect(asked).rejects.toThrow();
    await gone;
  });
});

describe("the process", () => {
  it("logs one line per request and no secret", async () => {
    const id = randomUUID();
    await call("POST", "/access/v1/evaluation", { headers: { Authorization: `Bearer ${key}` } });
    await evaluation({ Authorization: `Bearer ${key}` });
    await evaluation({ "X-Request-ID": id, Authorization: "Bearer aaa.bbb.ccc" });
    await becomes(200, async () => ({
      status: gateway.logs.some((line) => line["request_id"] === id) ? 200 : 0,
    }));
    expect(gateway.logs.find((line) => line["request_id"] === id)).toMatchObject({
      service: "gateway",
      operation: "evaluate",
      route: "/access/v1/evaluation",
      status: 200,
      project: tenant.project,
    });
    const text = JSON.stringify(gateway.logs);
    for (const secret of [key, account, "aaa.bbb.ccc", contextKey.toString("base64")])
      expect(text).not.toContain(secret);
  });

  it("stops with 0 after what runs has finished", async () => {
    const own = await startGateway({
      UPSTREAM_CONFIGS: upstream.url,
      UPSTREAM_CAPTURE: upstream.url,
      UPSTREAM_ACCESS: upstream.url,
      UPSTREAM_CIQ: upstream.url,
      DRAIN_DELAY_MS: "200",
      COMPAT_ALIASES: "true",
    });
    upstream.answer = (_request, response) => void setTimeout(() => response.json({ late: true }), 600);
    const asked = fetch(`${own.url}/contx-iq/v1/execute?a=1`, {
      method: "POST",
      headers: { "X-IK-ClientKey": key },
      body: "{}",
    });
    await wait(100);
    const stopped = own.stop();
    await wait(50);
    expect((await fetch(`${own.url}/readyz`)).status).toBe(503);
    const answer = await asked;
    expect([answer.status, answer.headers.get("connection")]).toEqual([200, "close"]);
    expect(await stopped).toBe(0);
    expect(upstream.arrived[0]?.url).toBe("/ciq/v1/execute?a=1");
  });

  it("refuses the aliases unless they are switched on", async () => {
    expect((await call("POST", "/contx-iq/v1/execute", { headers: { "X-SVC-ClientKey": key } })).status).toBe(
      404,
    );
    const alias = await call("POST", "/ciq/v1/execute", { headers: { "X-IK-ClientKey": key } });
    expect(alias.status).toBe(401);
  });

  it("drops everything it remembers when it cannot read an announcement", async () => {
    const revoked = await tenant.key(agent);
    const ask = () => evaluation({ "X-SVC-ClientKey": revoked.token });
    expect((await ask()).status).toBe(200);
    await tenant.remove(revoked.id);
    await redis.publish(changesChannel, "not json");
    expect(await becomes(401, ask)).toBeLessThan(2_000);
  });

  it("keeps the key of one project out of another's context", async () => {
    const other = await newTenant(graph);
    try {
      const { token } = await other.key(await other.agent(["Authorization"]));
      await evaluation({ "X-SVC-ClientKey": token });
      const { caller } = await verifyInternalContext(
        contextKey,
        "access",
      )(String(upstream.arrived[0]?.headers["x-internal-context"]));
      expect(caller).toMatchObject({ project: other.project, org: other.organization });
      expect(newGid("project")).not.toBe(other.project);
    } finally {
      await other.end();
    }
  });
});
