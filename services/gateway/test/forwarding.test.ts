import { describe, expect, it } from "@jest/globals";
import { randomUUID } from "node:crypto";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { gatewayOfTests } from "../../../stack/src/testing/internal-contexts.ts";
import { contextOf } from "./gateway-process.ts";
import {
  account,
  agent,
  call,
  evaluation,
  gateway,
  key,
  nothingArrived,
  raw,
  tenant,
  upstream,
  useGateway,
} from "./gateway-under-test.ts";

useGateway();

describe("what reaches the service", () => {
  it("is the request without the key and internal headers, with the internal context", async () => {
    const { status } = await evaluation({
      "X-Internal-Call": "forged",
      "X-Internal-Anything": "forged",
      // No proxy is trusted here.
      "X-Forwarded-For": "198.51.100.1",
      Forwarded: "for=198.51.100.7;proto=https;host=forged.example",
      Authorization: "Bearer user.token.here",
      "X-Request-ID": "abc",
    });
    expect(status).toBe(200);
    const { headers, url, method } = upstream.arrived[0] ?? nothingArrived();
    expect({ method, url }).toEqual({ method: "POST", url: "/access/v1/evaluation" });
    expect(headers["x-svc-clientkey"]).toBeUndefined();
    expect(headers["x-internal-anything"]).toBeUndefined();
    expect(Object.keys(headers).filter((name) => name.includes("forwarded"))).toEqual([]);
    expect(headers.host).toBe(new URL(gateway.url).host);
    expect(headers.authorization).toBe("Bearer user.token.here");
    expect(headers["x-request-id"]).toBe("abc");
    const { caller, address } = await contextOf(headers, "access", "/access/v1/evaluation");
    expect(address).toBe("127.0.0.1");
    expect(caller).toMatchObject({
      kind: "agent",
      agent,
      project: tenant.project,
      org: tenant.organization,
      permissions: ["Authorization", "Capture", "ContXIQ"],
    });
    for (const [service, route, method] of [
      ["ciq", "/access/v1/evaluation", "POST"],
      ["access", "/access/v1/evaluations", "POST"],
      ["access", "/access/v1/evaluation", "GET"],
    ] as const)
      await expect(contextOf(headers, service, route, method)).rejects.toMatchObject({
        code: "internal_context_invalid",
      });
  });

  it("is logged in one line, without secrets", async () => {
    const id = randomUUID();
    await call("POST", "/access/v1/evaluation", { headers: { Authorization: `Bearer ${key}` } });
    await evaluation({ Authorization: `Bearer ${key}` });
    await evaluation({ "X-Request-ID": id, Authorization: "Bearer aaa.bbb.ccc" });
    const logged = await eventually(
      () => gateway.logs.find((line) => line["request_id"] === id),
      (line) => line !== undefined,
      { withinMs: 3_000, everyMs: 20 },
    );
    expect(logged).toMatchObject({
      service: "gateway",
      operation: "evaluate",
      route: "/access/v1/evaluation",
      status: 200,
      project: tenant.project,
    });
    const text = JSON.stringify(gateway.logs);
    for (const secret of [key, account, "aaa.bbb.ccc", gatewayOfTests.signingKey])
      expect(text).not.toContain(secret);
  });

  it("never holds the service account's token, and paths pass as they were written", async () => {
    await call("GET", "/configs/v1/projects/gid%3Aabc/?version=1&x=%20", {
      headers: { Authorization: `Bearer ${account}` },
    });
    expect(upstream.arrived[0]?.url).toBe("/configs/v1/projects/gid%3Aabc/?version=1&x=%20");
    expect(upstream.arrived[0]?.headers.authorization).toBeUndefined();
  });

  it("is answered in JSON also where the operation's answers may stream", async () => {
    const records = { data: Array.from({ length: 5_000 }, (_, id) => ({ id })), next_page_token: null };
    upstream.answer = (_request, response) => void response.set("ETag", '"7"').json(records);
    const { status, headers, body } = await call("GET", "/audit/v1/logs", {
      headers: { Authorization: `Bearer ${account}` },
    });
    expect({ status, body }).toEqual({ status: 200, body: records });
    expect(headers.get("content-type")).toMatch(/^application\/json/);
    expect(headers.get("content-length")).toBe(String(JSON.stringify(records).length));
    expect(headers.get("etag")).toBe('"7"');
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

  it.each([
    ["a short call", "GET", "/configs/v1/projects", 0],
    ["a stream", "GET", "/audit/v1/logs", 0],
    ["a long body", "DELETE", "/configs/v1/application-agents/gid", 70_000],
  ])("keeps its length where Connection names that: %s", async (_name, method, path, padding) => {
    const inner = `GET /secret HTTP/1.1\r\nHost: x\r\n\r\n${" ".repeat(padding)}`;
    const answer = await raw(
      `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${account}\r\n` +
        `Connection: close, Content-Length\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(upstream.arrived.map(({ url, bytes }) => ({ url, bytes }))).toEqual([
      { url: path, bytes: inner.length },
    ]);
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
});

describe("what reaches the caller", () => {
  it("is the answer of the service without internal and connection headers", async () => {
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

  it("may pause for longer than the service may take to answer", async () => {
    const sending = httpRequest(`${gateway.url}/access/v1/evaluation`, {
      method: "POST",
      headers: { "X-SVC-ClientKey": key },
    });
    const answered = new Promise<number | undefined>((resolve, reject) => {
      sending.on("response", (response) => {
        response.resume().on("end", () => resolve(response.statusCode));
      });
      sending.on("error", reject);
    });
    sending.write("{");
    await wait(700);
    sending.end("}");
    expect(await answered).toBe(200);
    expect(upstream.arrived.map(({ bytes }) => bytes)).toEqual([2]);
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
    let responseText = "";
    const waitFor = (pattern: RegExp): Promise<string> =>
      eventually(
        () => pattern.exec(responseText)?.[0],
        (found) => found !== undefined,
        { withinMs: 5_000, everyMs: 10 },
      );
    socket.on("data", (chunk) => (responseText += chunk.toString("latin1"))).on("error", () => undefined);
    socket.write(
      `POST /access/v1/evaluation HTTP/1.1\r\nHost: x\r\nX-SVC-ClientKey: ${key}\r\n${framing}\r\n\r\n${first}`,
    );
    const early = await waitFor(/^HTTP\/1.1 \d+/);
    responseText = "";
    socket.write(`${rest}GET /nope HTTP/1.1\r\nHost: x\r\n\r\n`);
    const next = await waitFor(/HTTP\/1.1 \d+/);
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
