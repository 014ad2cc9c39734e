import { connect } from "node:net";
import { Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { transports } from "winston";
import { z } from "zod";
import { type AuditRecord, streamKey } from "@ikg/audit";
import { type Caller, newGid, Problem } from "@ikg/contracts";
import { type RequestInput, reply, route } from "../src/http/route.ts";
import { type Service, startService } from "../src/process/service.ts";
import { internalContextHeader } from "@ikg/auth";
import { agent, contextOf, settings } from "./test-settings.ts";

let service: Service;
let url: string;
let seen: RequestInput<{ name: string }, "agent"> | undefined;
let failure: unknown;
const began = Promise.withResolvers<void>();

beforeAll(async () => {
  service = await startService("access", settings);
  service.mount(
    route({
      operation: "evaluate",
      method: "post",
      path: "/access/v1/evaluation",
      caller: "agent",
      permission: "Authorization",
      request: z.object({ name: z.string() }),
      bodyLimit: 1000,
      handle: (input) => {
        seen = input;
        return Promise.resolve({ hello: input.body.name });
      },
    }),
    route({
      operation: "search_resource",
      method: "post",
      path: "/access/v1/search/resource",
      caller: "agent",
      permission: "Authorization",
      queryParameters: z.object({ n: z.coerce.number().int() }),
      handle: ({ query }) =>
        failure === undefined ? Promise.resolve(reply(201, query, { ETag: '"x"' })) : Promise.reject(failure),
    }),
    route({
      operation: "search_subject",
      method: "post",
      path: "/access/v1/search/subject",
      caller: "agent",
      permission: "Authorization",
      // Works until its caller has disconnected.
      handle: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error)); // of an abort
          began.resolve();
        }),
    }),
  );
  url = `http://127.0.0.1:${(await service.listen()).port}`;
});

afterAll(() => service.close());

const evaluation = ["POST", "/access/v1/evaluation"] as const;

const post = async (path: string, body: string | undefined, headers: Record<string, string> = {}) => {
  const response = await fetch(url + path, {
    method: "POST",
    headers: {
      ...(await contextOf(agent, "access", ["POST", path])),
      "Content-Type": "application/json",
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
};

describe("a mounted route", () => {
  it("gets what was parsed, and answers with the headers of every answer", async () => {
    const { status, body, headers } = await post("/access/v1/evaluation/", '{"name":"x","other":1}', {
      "X-Request-ID": "id 1",
      Authorization: "Bearer abc",
    });
    expect({ status, body }).toEqual({ status: 200, body: { hello: "x" } });
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-request-id")).toBe("id 1");
    expect(headers.get("x-powered-by")).toBeNull();
    expect(headers.get("etag")).toBeNull();
    expect(seen).toMatchObject({
      body: { name: "x" },
      caller: agent,
      bearer: "abc",
      requestId: "id 1",
      query: {},
    });
  });

  it("may answer another status and headers, and ignores a body that it has no schema for", async () => {
    const { status, body, headers } = await post("/access/v1/search/resource?n=3", "no json", {
      "Content-Type": "text/plain",
    });
    expect({ status, body }).toEqual({ status: 201, body: { n: 3 } });
    expect(headers.get("etag")).toBe('"x"');
  });

  it.each([
    ["schema", "/access/v1/evaluation", "{}", { message: "Bad Request", errors: ["name: required"] }],
    [
      "type",
      "/access/v1/evaluation",
      '{"name":1}',
      { message: "Bad Request", errors: ["name: string expected"] },
    ],
    [
      "text",
      "/access/v1/evaluation",
      "{",
      { message: "Bad Request", errors: ["body: JSON in UTF-8 expected"] },
    ],
    [
      "nothing",
      "/access/v1/evaluation",
      undefined,
      { message: "Bad Request", errors: ["body: JSON in UTF-8 expected"] },
    ],
    [
      "query",
      "/access/v1/search/resource?n=1&n=2",
      "{}",
      { message: "Bad Request", errors: ["n: number expected"] },
    ],
  ])("refuses a wrong %s with 400", async (_name, path, body, expected) => {
    expect(await post(path, body)).toMatchObject({ status: 400, body: expected });
  });

  it("refuses a body beyond its limit, announced or not", async () => {
    const large = JSON.stringify({ name: "x".repeat(1000) });
    expect((await post("/access/v1/evaluation", large)).status).toBe(413);
    const streamed = await fetch(`${url}/access/v1/evaluation`, {
      method: "POST",
      headers: {
        ...(await contextOf(agent, "access", evaluation)),
        "Content-Type": "application/json",
      },
      body: new Blob([large]).stream(),
      duplex: "half",
    });
    expect(streamed.status).toBe(413);
  });

  it("is closed without a context, for another service, endpoint, kind or permission", async () => {
    const status = async (context: Record<string, string>) =>
      (await post("/access/v1/evaluation", '{"name":"x"}', context)).status;
    // Never 401: no credential of the caller is at fault.
    expect(await status({ [internalContextHeader]: "" })).toBe(503);
    expect(await status({ [internalContextHeader]: "a.b.c" })).toBe(503);
    expect(await status(await contextOf(agent, "ciq", evaluation))).toBe(503);
    expect(await status(await contextOf(agent, "access", ["POST", "/access/v1/search/resource"]))).toBe(503);
    expect(await status(await contextOf(agent, "access", ["GET", "/access/v1/evaluation"]))).toBe(503);
    expect(await status(await contextOf(undefined, "access", evaluation, "192.0.2.7"))).toBe(503);
    expect(await status(await contextOf({ ...agent, permissions: ["Capture"] }, "access", evaluation))).toBe(
      403,
    );
    const account: Caller = {
      kind: "service_account",
      credential_kid: "k",
      org: agent.org,
      service_account: newGid("service_account"),
      role: "all_editor",
    };
    expect(await status(await contextOf(account, "access", evaluation))).toBe(503);
  });

  it("records a refused caller at once, and no record for each time that it calls again", async () => {
    const project = newGid("project");
    const headers = await contextOf({ ...agent, project, permissions: [] }, "access", evaluation);
    for (let times = 0; times < 3; times++)
      expect((await post("/access/v1/evaluation", "{}", headers)).status).toBe(403);
    expect(await service.redis.xlen(streamKey(project))).toBe(1);
  });

  it("takes the client's address from the signed context alone", async () => {
    const rejected = async (address?: string) => {
      const project = newGid("project");
      const { status } = await post("/access/v1/evaluation", "{}", {
        ...(await contextOf({ ...agent, project, permissions: [] }, "access", evaluation, address)),
        "X-Internal-Client-Address": "203.0.113.9",
        "X-Forwarded-For": "203.0.113.9",
        Forwarded: "for=203.0.113.9",
      });
      expect(status).toBe(403);
      const [entry] = await service.redis.xrange(streamKey(project), "-", "+");
      await service.redis.flushdb();
      return JSON.parse(entry?.[1][1] ?? "{}") as AuditRecord; // as it was emitted
    };
    expect((await rejected("192.0.2.7")).request?.ip).toBe("192.0.2.7");
    const direct = await rejected();
    expect(direct.request).toBeDefined();
    expect(direct.request).not.toHaveProperty("ip");
  });

  it("takes the alias of its path from the signed context alone", async () => {
    const aliasOf = async (alias: string | undefined, headers: Record<string, string> = {}) => {
      const context = await contextOf(agent, "access", evaluation, "192.0.2.7", alias);
      await post("/access/v1/evaluation", '{"name":"x"}', { ...context, ...headers });
      return seen?.alias;
    };
    expect(await aliasOf("execute")).toBe("execute");
    expect(await aliasOf(undefined)).toBeUndefined();
    expect(await aliasOf(undefined, { "X-Internal-Alias": "execute" })).toBeUndefined();
  });

  it("answers a Problem as it is and anything else as 500 without a word of it", async () => {
    failure = new Problem("conflict", { errors: ["name: taken"], headers: { "X-A": "b" } });
    const known = await post("/access/v1/search/resource?n=1", undefined);
    expect(known).toMatchObject({ status: 409, body: { message: "Conflict", errors: ["name: taken"] } });
    expect(known.headers.get("x-a")).toBe("b");
    failure = new Error("MATCH (n) at bolt://secret");
    const log = service.log.transports[0];
    if (log !== undefined) log.silent = true;
    const unknown = await post("/access/v1/search/resource?n=1", undefined);
    expect(unknown).toMatchObject({ status: 500, body: { message: "Internal Server Error" } });
    expect(Object.keys(unknown.body as object)).toEqual(["message"]); // the envelope is an object
    failure = undefined;
  });
});

it("a request whose caller has disconnected is no failure in the log", async () => {
  const lines: string[] = [];
  const stream = new Writable({
    write: (chunk, _, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  const kept = new transports.Stream({ stream, level: "http" });
  service.log.add(kept);
  try {
    const path = "/access/v1/search/subject";
    const caller = new AbortController();
    const headers = await contextOf(agent, "access", ["POST", path]);
    const answer = fetch(url + path, { method: "POST", headers, signal: caller.signal });
    await began.promise;
    caller.abort();
    await expect(answer).rejects.toThrow("aborted");
    for (let waited = 0; lines.length === 0 && waited < 5_000; waited += 20) await wait(20);
    await wait(50);
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ level: "http", operation: "search_subject", status: 499 }),
    ]);
  } finally {
    service.log.remove(kept);
  }
});

describe("what no route takes", () => {
  it.each([
    ["GET", "/access/v1/evaluation", 405, "POST"],
    ["OPTIONS", "/access/v1/evaluation", 405, "POST"],
    ["GET", "/access/v1/nope", 404, null],
    ["GET", "/ACCESS/v1/evaluation", 404, null],
    ["GET", "/%ff", 404, null],
  ])("%s %s is %d", async (method, path, status, allow) => {
    const response = await fetch(url + path, { method });
    expect([response.status, response.headers.get("allow")]).toEqual([status, allow]);
    expect(await response.json()).toEqual({ message: status === 404 ? "Not Found" : "Method Not Allowed" });
  });

  it("is 400 when a path parameter does not decode", async () => {
    const configs = await startService("configs", settings);
    configs.mount(
      route({
        operation: "read_project",
        method: "get",
        path: "/configs/v1/projects/:id",
        caller: "administrator",
        handle: ({ params }) => Promise.resolve(params),
      }),
    );
    const base = `http://127.0.0.1:${(await configs.listen()).port}/configs/v1/projects`;
    const account: Caller = {
      kind: "service_account",
      credential_kid: "k",
      org: agent.org,
      service_account: newGid("service_account"),
      role: "all_viewer",
    };
    const headers = await contextOf(account, "configs", ["GET", "/configs/v1/projects/x"]);
    expect(await (await fetch(`${base}/gid%3Aa%2Fb/`, { headers })).json()).toEqual({ id: "gid:a/b" });
    const broken = await fetch(`${base}/%ff`, { headers });
    expect(broken.status).toBe(400);
    expect(await broken.json()).toEqual({
      message: "Bad Request",
      errors: ["path: malformed percent-encoding"],
    });
    await configs.close();
  });

  it("still gets an envelope when it is no HTTP, or its head is too long", async () => {
    const { port } = new URL(url);
    const raw = (text: string) =>
      new Promise<string>((resolve) => {
        let answer = "";
        const socket = connect(Number(port), "127.0.0.1", () => socket.write(text));
        socket.on("data", (chunk) => (answer += chunk.toString())).on("close", () => resolve(answer));
      });
    expect(await raw("hello\r\n\r\n")).toMatch(
      /^HTTP\/1.1 400 Bad Request\r\n[^]*\{"message":"Bad Request"\}$/,
    );
    expect(await raw(`GET / HTTP/1.1\r\nX: ${"a".repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1.1 431 /);
  });

  it("is alive and ready, for GET and HEAD", async () => {
    for (const path of ["/healthz", "/readyz"]) {
      expect((await fetch(url + path)).status).toBe(200);
      expect(await (await fetch(url + path, { method: "HEAD" })).text()).toBe("");
    }
    expect(await (await fetch(`${url}/healthz/`)).json()).toEqual({ status: "ok" });
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({
      status: "ready",
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
    const posted = await fetch(`${url}/readyz`, { method: "POST" });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });
});

describe("the table of operations", () => {
  it("holds every route of a service", async () => {
    const other = await startService("access", settings);
    const wrong = route({
      operation: "evaluate",
      method: "post",
      path: "/access/v1/unknown",
      caller: "agent",
      handle: () => Promise.resolve({}),
    });
    expect(() => other.mount(wrong)).toThrow(
      "POST /access/v1/unknown is not in the table of operations, so the gateway would not pass it",
    );
    await other.close();
  });
});
