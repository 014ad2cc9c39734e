import { createHash } from "node:crypto";
import { request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { Request, Response } from "express";
import { type Arrived, type FakeService, startFakeService } from "./fake-service.ts";
import { contextOf, type GatewayProcess, startGateway } from "./gateway-process.ts";

let upstream: FakeService;
let gateway: GatewayProcess;
let without: GatewayProcess;
let limited: GatewayProcess;

const nobody = "http://127.0.0.1:1";
const others = {
  UPSTREAM_CONFIGS: nobody,
  UPSTREAM_CAPTURE: nobody,
  UPSTREAM_ACCESS: nobody,
  UPSTREAM_CIQ: nobody,
  DRAIN_DELAY_MS: "0",
};

beforeAll(async () => {
  upstream = await startFakeService();
  gateway = await startGateway({ ...others, UPSTREAM_MCP: upstream.url, LIMIT_MCP_MS: "1500" });
  without = await startGateway(others);
  limited = await startGateway({
    ...others,
    UPSTREAM_MCP: upstream.url,
    UPSTREAM_AUDIT: upstream.url,
    RATE_LIMIT_ANONYMOUS_PER_SECOND: "5",
    API_REFERENCE: "true",
  });
});
afterAll(async () => {
  await gateway?.stop();
  await without?.stop();
  await limited?.stop();
  await upstream?.kill();
});
const normal = (_request: Request, response: Response, bytes: number): void => void response.json({ bytes });
afterEach(() => {
  upstream.answer = normal;
  upstream.arrived.length = 0;
});

const endpoint = "/mcp/v1/gid%3Aabc";

describe("the Model Context Protocol", () => {
  it("passes without a key, by its path alone", async () => {
    for (const path of [
      endpoint,
      `${endpoint}/.well-known/oauth-protected-resource`,
      "/.well-known/oauth-protected-resource/mcp/v1/gid:abc",
    ])
      expect((await fetch(gateway.url + path)).status).toBe(200);
    for (const path of ["/mcp", "/mcp/v2/gid:abc", "/.well-known/oauth-protected-resources", "/MCP/v1/x"])
      expect((await fetch(gateway.url + path)).status).toBe(404);
    expect(upstream.arrived.map(({ url }) => url)).toEqual([
      endpoint,
      `${endpoint}/.well-known/oauth-protected-resource`,
      "/.well-known/oauth-protected-resource/mcp/v1/gid:abc",
    ]);
  });

  it("is not there in a deployment without the service", async () => {
    expect((await fetch(without.url + endpoint)).status).toBe(404);
  });

  it("takes its headers along both ways, no keys, and nothing that only the gateway may say", async () => {
    upstream.answer = (_request, response) =>
      void response.set({ "Mcp-Session-Id": "s1", "WWW-Authenticate": "Bearer" }).status(401).json({});
    const answer = await fetch(gateway.url + endpoint, {
      method: "POST",
      headers: {
        Authorization: "Bearer t",
        "Content-Type": "application/json",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": "=?base64?eA==?=",
        "Mcp-Session-Id": "s0",
        "X-SVC-ClientKey": "key",
        "X-Internal-Call": "made up",
        "X-Internal-Client-Address": "203.0.113.9",
      },
      body: "{}",
    });
    expect([
      answer.status,
      answer.headers.get("mcp-session-id"),
      answer.headers.get("www-authenticate"),
    ]).toEqual([401, "s1", "Bearer"]);
    const headers: Arrived["headers"] = upstream.arrived[0]?.headers ?? {};
    expect(headers).toMatchObject({
      authorization: "Bearer t",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "=?base64?eA==?=",
      "mcp-session-id": "s0",
    });
    expect(headers).not.toHaveProperty("x-svc-clientkey");
    expect(headers).not.toHaveProperty("x-internal-client-address");
    // The address is signed, and which token came for which project; no caller is authenticated yet.
    const bearer = createHash("sha256").update("t").digest("hex");
    await expect(contextOf(headers, "mcp", "/mcp/v1/:project")).resolves.toEqual({
      caller: undefined,
      address: "127.0.0.1",
      origin: { bearer, project: "gid:abc" },
    });
  });

  it("does not hide that two bearers came", async () => {
    let came: readonly string[] = [];
    upstream.answer = (incoming, response) => {
      came = incoming.rawHeaders.filter((_text, at, all) => all[at - 1]?.toLowerCase() === "authorization");
      response.json({});
    };
    await new Promise<void>((resolve, reject) => {
      const headers = ["Host", "localhost", "Authorization", "Bearer a", "Authorization", "Bearer b"];
      const clientRequest = request(gateway.url + endpoint, { method: "GET", headers }, (answer) => {
        answer.resume().once("end", () => resolve());
      });
      clientRequest.once("error", reject).end();
    });
    expect(came).toEqual(["Bearer a", "Bearer b"]);
  });

  it("an answer as events lasts as long as something comes", async () => {
    upstream.answer = (_request, response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" }).flushHeaders();
      let event = 0;
      const timer = setInterval(() => {
        response.write(`data: ${event++}\n\n`);
        if (event < 5) return;
        clearInterval(timer);
        response.end();
      }, 500);
    };
    const began = performance.now();
    const answer = await fetch(gateway.url + endpoint, { method: "POST", body: "{}" });
    // The headers do not wait for the first event.
    expect(performance.now() - began).toBeLessThan(450);
    expect((await answer.text()).match(/data: \d/g)).toHaveLength(5);
  });

  it("one that stalls is broken off, any other late answer is an error", async () => {
    let closed = false;
    upstream.answer = (_request, response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" }).write(": begun\n\n");
      response.once("close", () => (closed = true));
    };
    const answer = await fetch(gateway.url + endpoint, { method: "POST", body: "{}" });
    await expect(answer.text()).rejects.toThrow();
    await wait(100);
    expect(closed).toBe(true);
    upstream.answer = () => undefined;
    expect((await fetch(gateway.url + endpoint, { method: "POST", body: "{}" })).status).toBe(500);
  });

  it("an unavailable service is reported as such", async () => {
    await upstream.kill();
    const answer = await fetch(gateway.url + endpoint, { method: "POST", body: "{}" });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
    await upstream.revive();
  });
});

describe("requests of unauthenticated callers", () => {
  const statuses = async (
    path: string,
    headers: Record<string, string> = {},
    method = "GET",
  ): Promise<number[]> =>
    Promise.all(
      Array.from({ length: 15 }, async () => (await fetch(limited.url + path, { method, headers })).status),
    );
  const bearer = (text: string) => ({ Authorization: `Bearer ${text}` });

  it.each([
    endpoint,
    `${endpoint}/.well-known/oauth-protected-resource`,
    "/.well-known/oauth-protected-resource/mcp/v1/gid:abc",
    "/audit/.well-known/jwks.json",
    "/.well-known/authzen-configuration",
    "/openapi.json",
    "/docs",
  ])("are limited per address and second: %s", async (path) => {
    await wait(1_001);
    const found = await statuses(path);
    // Two seconds may have begun meanwhile.
    expect(found.filter((status) => status === 200).length).toBeLessThanOrEqual(10);
    expect(new Set(found)).toEqual(new Set([200, 429]));
    const [refused] = await Promise.all(
      Array.from({ length: 15 }, async () => {
        const response = await fetch(limited.url + path);
        return { status: response.status, headers: response.headers, text: await response.text() };
      }),
    ).then((all) => all.filter(({ status }) => status === 429));
    expect(refused?.headers.get("retry-after")).toBe("1");
    // Only refusals are JSON at every path, and a second that began meanwhile has answers again.
    expect(JSON.parse(refused?.text ?? "{}")).toEqual({
      message: "Too Many Requests",
      errors: ["anonymous requests of an address: at most 5 a second (RATE_LIMIT_ANONYMOUS_PER_SECOND)"],
    });
  });

  it.each([endpoint, "/audit/.well-known/jwks.json", "/.well-known/authzen-configuration"])(
    "are limited as well with a token that says nothing: %s",
    async (path) => {
      await wait(1_001);
      expect(new Set(await statuses(path, bearer("invented")))).toEqual(new Set([200, 429]));
    },
  );

  it("do not use up what users with accepted tokens may ask, each on its path", async () => {
    const post = (path: string, text: string) => statuses(path, bearer(text), "POST");
    await wait(1_001);
    const first = await fetch(limited.url + endpoint, { method: "POST", headers: bearer("accepted") });
    expect(first.status).toBe(200);
    await statuses(endpoint);
    expect(new Set(await post(endpoint, "accepted"))).toEqual(new Set([200]));
    expect(await post(`${endpoint}x`, "accepted")).toContain(429);
    await statuses(endpoint);
    expect(new Set(await post(endpoint, "accepted"))).toEqual(new Set([200]));
  });

  it("are not accepted when they leave before the answer", async () => {
    upstream.answer = () => undefined;
    await wait(1_001);
    const left = new AbortController();
    const call = fetch(limited.url + endpoint, {
      method: "POST",
      headers: bearer("left"),
      signal: left.signal,
    });
    await wait(200);
    left.abort();
    await expect(call).rejects.toThrow();
    await wait(200);
    upstream.answer = (_request, response) => void response.status(401).json({});
    expect(new Set(await statuses(endpoint, bearer("left"), "POST"))).toEqual(new Set([401, 429]));
  });

  it("are not accepted by an answer that refuses them", async () => {
    upstream.answer = (_request, response) => void response.status(401).json({});
    await wait(1_001);
    expect(new Set(await statuses(endpoint, bearer("refused"), "POST"))).toEqual(new Set([401, 429]));
    expect(new Set(await statuses(endpoint, bearer("refused"), "POST"))).toContain(429);
  });

  it("with tokens that were refused keep no new one out", async () => {
    upstream.answer = ({ headers }, response) =>
      void response.status(headers.authorization === "Bearer new" ? 200 : 401).json({});
    const send = async (text: string) =>
      (await fetch(limited.url + endpoint, { method: "POST", headers: bearer(text) })).status;
    const wrong = Array.from({ length: 5 }, (_, n) => `wrong ${n}`);
    await wait(1_001);
    for (const text of wrong) await send(text);
    await wait(1_001);
    const repeated = await Promise.all([...wrong, ...wrong, ...wrong].map(send));
    expect(new Set(repeated)).toEqual(new Set([401, 429]));
    expect(await send("new")).toBe(200);
  });
});
