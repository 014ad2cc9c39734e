import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { gzipSync } from "node:zlib";
import { type Egress, openEgress } from "./egress.ts";
import { EgressError, isOwnFailure } from "./egress-error.ts";

let server: Server;
let url: string;
let egress: Egress;
let answer: RequestListener;
const json = { "Content-Type": "application/json; charset=utf-8" };

beforeAll(async () => {
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Listening on a port, so the address is an AddressInfo.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  egress = openEgress({ allowHttp: true, allowHosts: [], allowCidrs: ["127.0.0.0/8"] });
});

afterAll(async () => {
  await egress.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe("an outbound call", () => {
  it("asks for plain JSON and gives status, type and body", async () => {
    let encoding: string | undefined;
    answer = (request, response) => {
      encoding = String(request.headers["accept-encoding"]);
      response.writeHead(201, json).end('{"a":1}');
    };
    const { status, contentType, body } = await egress.request(`${url}/x`, { method: "POST", body: "{}" });
    expect([status, contentType, body.toString(), encoding]).toEqual([
      201,
      "application/json",
      '{"a":1}',
      "identity",
    ]);
  });

  it("reads a JSON object", async () => {
    answer = (_request, response) => response.writeHead(200, json).end('{"issuer":"x"}');
    await expect(egress.getJson(url)).resolves.toEqual({ issuer: "x" });
  });

  it.each([
    [
      "a redirect",
      "upstream_status",
      (url: string) => ({ status: 302, headers: { Location: url }, body: "" }),
    ],
    ["an error", "upstream_status", () => ({ status: 500, headers: json, body: "{}" })],
    ["no JSON", "invalid_json", () => ({ status: 200, headers: json, body: "<html>" })],
    ["an array", "invalid_json", () => ({ status: 200, headers: json, body: "[]" })],
    [
      "too much",
      "response_too_large",
      () => ({ status: 200, headers: json, body: "a".repeat(1024 * 1024 + 1) }),
    ],
    [
      "packed bytes",
      "content_type_mismatch",
      () => ({ status: 200, headers: { ...json, "Content-Encoding": "gzip" }, body: gzipSync("{}") }),
    ],
  ])("that meets %s is %s", async (_name, reason, make) => {
    const { status, headers, body } = make(url);
    answer = (_request, response) => response.writeHead(status, headers).end(body);
    await expect(egress.getJson(url)).rejects.toMatchObject({ reason });
  });

  it("ends in time", async () => {
    answer = (_request, response) => void response.writeHead(200, json).write("{");
    const started = Date.now();
    await expect(egress.request(url, { timeoutMs: 150 })).rejects.toMatchObject({
      reason: "upstream_timeout",
    });
    expect(Date.now() - started).toBeLessThan(2_000);
  });

  it("ends in time although bytes keep coming", async () => {
    answer = (_request, response) => {
      response.writeHead(200, json);
      const drip = setInterval(() => response.write(" "), 20);
      response.once("close", () => clearInterval(drip));
    };
    await expect(egress.request(url, { timeoutMs: 150 })).rejects.toMatchObject({
      reason: "upstream_timeout",
    });
  });

  it("ends when the caller gives up", async () => {
    answer = (_request, response) => void response.writeHead(200, json).write("{");
    const signal = AbortSignal.timeout(50);
    await expect(egress.request(url, { signal })).rejects.toBeInstanceOf(Error);
  });

  it("sends every value of a header, and checks a head before its body is read", async () => {
    let sent: string[] = [];
    let closed: Promise<unknown> | undefined;
    answer = (request, response) => {
      sent = request.rawHeaders;
      closed = new Promise((resolve) => response.once("close", resolve));
      response.writeHead(418, { "Content-Type": "Text/Plain; a=b" }).write("never ends");
    };
    const heads: unknown[] = [];
    const checkHead = (head: unknown): void => {
      heads.push(head);
      throw new EgressError("upstream_status", undefined, 418);
    };
    const headers = { "X-A": ["1", "2"], "X-B": "3" };
    await expect(egress.request(url, { headers, checkHead })).rejects.toMatchObject({ status: 418 });
    expect(heads).toEqual([{ status: 418, contentType: "text/plain" }]);
    await closed;
    const values = (name: string) => sent.filter((_, index) => sent[index - 1] === name);
    expect([values("X-A"), values("X-B")]).toEqual([["1", "2"], ["3"]]);
  });

  it("does not follow a redirect, and tells the status of a refusal", async () => {
    const paths: string[] = [];
    answer = (request, response) => {
      paths.push(request.url ?? "");
      if (request.url === "/from") response.writeHead(307, { Location: `${url}/to` }).end();
      else response.writeHead(404).end();
    };
    await expect(egress.getJson(`${url}/from`)).rejects.toMatchObject({ status: 307 });
    await expect(egress.getJson(`${url}/gone`)).rejects.toMatchObject({ status: 404 });
    expect(paths).toEqual(["/from", "/gone"]);
  });

  it("goes to the address that was checked, under the name that was given", async () => {
    const hosts: unknown[] = [];
    answer = (request, response) => {
      hosts.push(request.headers.host);
      response.writeHead(200, { ...json, Connection: "close" }).end("{}");
    };
    const { port } = new URL(url);
    // A name that answers with another address every time, as in a rebinding attack.
    const addresses = ["127.0.0.1", "10.0.0.1", "127.0.0.1"];
    let lookups = 0;
    const own = openEgress(egress.rules, (_host, done) => {
      done(null, [{ address: addresses[lookups++] ?? "", family: 4 }]);
    });
    const name = `http://rebind.example:${port}`;
    await expect(own.getJson(name)).resolves.toEqual({});
    expect([lookups, hosts]).toEqual([1, [`rebind.example:${port}`]]);
    await expect(own.getJson(name)).rejects.toMatchObject({ reason: "blocked_address" });
    await expect(own.getJson(name)).resolves.toEqual({});
    expect(hosts).toHaveLength(2);
    await own.close();
  });

  it("does not listen to proxy variables", async () => {
    answer = (_request, response) => response.writeHead(200, json).end("{}");
    const former = process.env["HTTP_PROXY"];
    process.env["HTTP_PROXY"] = "http://127.0.0.1:1024";
    try {
      const own = openEgress(egress.rules);
      await expect(own.getJson(url)).resolves.toEqual({});
      await own.close();
    } finally {
      if (former === undefined) delete process.env["HTTP_PROXY"];
      else process.env["HTTP_PROXY"] = former;
    }
  });

  it("refuses more bytes than announced, and headers without end", async () => {
    answer = (_request, response) => {
      response.writeHead(200, json);
      const chunk = Buffer.alloc(256 * 1024, 32);
      for (let i = 0; i < 5; i++) response.write(chunk);
      response.end();
    };
    await expect(egress.getJson(url)).rejects.toMatchObject({ reason: "response_too_large" });
    answer = (_request, response) => response.writeHead(200, { ...json, "X-Long": "a".repeat(70_000) }).end();
    await expect(egress.getJson(url)).rejects.toBeInstanceOf(EgressError);
  });

  it("goes nowhere that the rules do not open", async () => {
    const closed = openEgress({ allowHttp: true, allowHosts: ["localhost"], allowCidrs: [] });
    let isReached = false;
    answer = (_request, response) => {
      isReached = true;
      response.end();
    };
    await expect(closed.request(url)).rejects.toMatchObject({ reason: "blocked_address" });
    // A name that is allowed as a name still has to have an allowed address.
    await expect(closed.request(url.replace("127.0.0.1", "localhost"))).rejects.toMatchObject({
      reason: "blocked_address",
    });
    expect(isReached).toBe(false);
    await closed.close();
  });

  it("says that no server is there", async () => {
    await expect(egress.request("http://127.0.0.1:1024/")).rejects.toMatchObject({
      reason: "upstream_unreachable",
    });
  });
});

it.each([
  [new EgressError("blocked_address"), true],
  [new EgressError("upstream_status", undefined, 404), true],
  [new EgressError("upstream_status", undefined, 408), false],
  [new EgressError("upstream_status", undefined, 429), false],
  [new EgressError("upstream_status", undefined, 500), false],
  [new EgressError("upstream_status", undefined, 302), false],
  [new EgressError("upstream_timeout"), false],
  [new Error("x"), false],
])("%s %#: a failure that no circuit counts is %s", (error, own) => {
  expect(isOwnFailure(error)).toBe(own);
});
