import { describe, expect, it } from "@jest/globals";
import { setTimeout as wait } from "node:timers/promises";
import { changesChannel } from "@ikg/contracts";
import { becomes } from "./becomes.ts";
import { contextOf } from "./gateway-process.ts";
import {
  account,
  agent,
  announce,
  call,
  evaluation,
  graph,
  key,
  list,
  raw,
  redis,
  tenant,
  upstream,
  useGateway,
} from "./gateway-under-test.ts";
import { newTenant } from "./tenant.ts";

useGateway();

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

  it("drops everything it remembers when it cannot read an announcement", async () => {
    const revoked = await tenant.key(agent);
    const ask = () => evaluation({ "X-SVC-ClientKey": revoked.token });
    expect((await ask()).status).toBe(200);
    await tenant.remove(revoked.id);
    await redis.publish(changesChannel, "not json");
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

  it("keeps the key of one project out of another's context", async () => {
    const other = await newTenant(graph);
    try {
      const { token } = await other.key(await other.agent(["Authorization"]));
      await evaluation({ "X-SVC-ClientKey": token });
      const { caller } = await contextOf(
        upstream.arrived[0]?.headers ?? {},
        "access",
        "/access/v1/evaluation",
      );
      expect(caller).toMatchObject({ project: other.project, org: other.organization });
      expect(tenant.project).not.toBe(other.project);
    } finally {
      await other.end();
    }
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
      expect(await contextOf(headers, "access", "/access/v1/evaluation")).toMatchObject({
        caller: { agent },
      });
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
      errors: [
        "Authorization: a client key was sent as bearer token and in X-SVC-ClientKey; send it in one of them",
      ],
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

  it("refuses the aliases unless they are switched on", async () => {
    expect((await call("POST", "/contx-iq/v1/execute", { headers: { "X-SVC-ClientKey": key } })).status).toBe(
      404,
    );
    const alias = await call("POST", "/ciq/v1/execute", { headers: { "X-IK-ClientKey": key } });
    expect(alias.status).toBe(401);
  });
});

describe("a deployment without people", () => {
  it("has no metadata of sign-ins, and takes no token for that of a person", async () => {
    const metadata = await call("GET", "/.well-known/oauth-protected-resource/configs/v1");
    expect(metadata.status).toBe(404);
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const token = `${part({ alg: "ES256", typ: "at+jwt" })}.${part({ sub: "ann" })}.${"A".repeat(86)}`;
    const { status, headers } = await call("GET", "/configs/v1/projects", {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect([status, headers.get("www-authenticate")]).toEqual([401, 'Bearer error="invalid_token"']);
  });
});
