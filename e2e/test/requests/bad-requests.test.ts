import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { setTimeout as pause } from "node:timers/promises";
import type { Permission } from "@ikg/contracts";
import { inParallel } from "../../../stack/src/measurement/in-parallel.ts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { collectionPaths } from "../../src/configuration/collections.ts";
import { createAgent } from "../../src/configuration/create-agent.ts";
import { createCredential } from "../../src/configuration/create-credential.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { environment } from "../../src/environment.ts";
import { long } from "../../src/long.ts";
import { openAdmin } from "../../src/requests/clients.ts";
import { requireRefusal, requireSound } from "../../src/requests/refusal.ts";
import { sendRaw } from "../../src/requests/send-raw.ts";
import { type Answer, send } from "../../src/requests/send.ts";
import { createTokenIssuer, type TokenIssuer } from "../../src/tokens/token-issuer.ts";

const dataPlane: readonly (readonly [string, Permission])[] = [
  ["/capture/v1/nodes", "Capture"],
  ["/capture/v1/relationships", "Capture"],
  ["/access/v1/evaluation", "Authorization"],
  ["/access/v1/search/resource", "Authorization"],
  ["/ciq/v1/execute", "ContXIQ"],
];
const collections = collectionPaths.map((path) => `/configs/v1${path}`);

const question = {
  subject: { type: "Person", id: "p" },
  action: { name: "READ" },
  resource: { type: "Thing", id: "t" },
};

let tenant: Tenant;
let issuer: TokenIssuer;
beforeAll(async () => {
  tenant = await createTenant("bad-requests");
  issuer = await createTokenIssuer(tenant.projectId);
});
afterAll(() => tenant?.remove());

const ask = (headers: Readonly<Record<string, string>>, path = "/access/v1/evaluation"): Promise<Answer> =>
  send(path, { json: question, headers });

describe("paths and methods", () => {
  const paths = [
    "/",
    "//",
    "/nope",
    "/configs/v1",
    "/configs/v1/nope",
    "/configs/v2/projects",
    "/configs/v1/projects/x/y",
    "/configs/v1/__proto__",
    "/__proto__",
    "/constructor",
    "/capture/v1/nodes%2f",
    "/capture/v1/Nodes",
    "/capture//v1/nodes",
    "/capture/v1/../../configs/v1/projects",
    "/access/v1/evaluation/extra",
    "/access/v1/search",
    "/ciq/v1/execute/x",
    "/contx-iq/v1/execute",
    "/%zz",
    "/%00",
    "/%ff",
    "/..%2f..%2fetc%2fpasswd",
    "/metrics",
    "/audit/v1/nope",
    "/audit/v1/logs/x",
  ];
  it.each(paths)("%s is 404 for every caller", async (path) => {
    const withKey = ["X-SVC-ClientKey", tenant.key];
    const calls = [
      { method: "GET", headers: [] },
      { method: "POST", headers: withKey },
    ];
    const more = [
      { method: "POST", headers: [] },
      { method: "GET", headers: withKey },
    ];
    for (const call of long(calls, [...calls, ...more]))
      requireRefusal(await sendRaw({ ...call, path }), 404);
  });

  it("an id that does not decode is refused", async () => {
    const headers = ["Authorization", `Bearer ${environment().service_account_token}`];
    for (const id of ["%zz", "%ff", "%00", "gid%3A%00", "%E0%A4%A"])
      requireRefusal(await sendRaw({ method: "GET", path: `/configs/v1/projects/${id}`, headers }), 400, 404);
  });

  it("a wrong method is 405 with Allow, before any credential is looked at", async () => {
    const wrong = [
      ...dataPlane.flatMap(([path]) =>
        ["GET", "DELETE", "PATCH", "PROPFIND"].map((method) => [method, path] as const),
      ),
      ...collections.flatMap((path) => ["PATCH", "DELETE"].map((method) => [method, path] as const)),
      ["PATCH", "/configs/v1/projects/x"] as const,
      ["POST", "/configs/v1/organizations/current"] as const,
    ];
    await inParallel(wrong, async ([method, path]) => {
      const answer = await sendRaw({ method, path });
      requireRefusal(answer, 405);
      expect(answer.headers.get("allow")).toMatch(/^[A-Z]+(, [A-Z]+)*$/);
    });
  });

  it("a trailing slash makes no difference", async () => {
    const answer = await ask({ "X-SVC-ClientKey": tenant.key }, "/access/v1/evaluation/");
    expect(answer).toMatchObject({ status: 200, body: { decision: false } });
  });
});

describe("keys and tokens", () => {
  const flipped = (key: string): string => key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");
  const otherSecret = (key: string): string =>
    `${key.slice(0, 30)}${key[30] === "A" ? "B" : "A"}${key.slice(31)}`;

  /** Answers to a key before and after it expires. */
  const askAroundExpiry = async (): Promise<Readonly<Record<"before" | "after", Answer>>> => {
    const at = Date.now() + 2_500;
    const { key } = await createCredential(tenant.agentId, new Date(at).toISOString());
    const before = await ask({ "X-SVC-ClientKey": key });
    await pause(at - Date.now() + 20);
    return { before, after: await ask({ "X-SVC-ClientKey": key }) };
  };
  let aroundExpiry: ReturnType<typeof askAroundExpiry>;
  beforeAll(() => {
    // Other tests run meanwhile; the one that awaits it reports a failure.
    aroundExpiry = askAroundExpiry();
    aroundExpiry.catch(() => undefined);
  });

  it("a key that is none is 401 on every endpoint of the data plane, before the body is looked at", async () => {
    const keys = [
      undefined,
      "x",
      "undefined",
      "' OR 1=1 //",
      environment().service_account_token,
      flipped(tenant.key),
      otherSecret(tenant.key),
      `${tenant.key}x`,
      tenant.key.toUpperCase(),
      "k".repeat(8_000),
      tenant.agentId,
    ];
    await inParallel(
      dataPlane.flatMap(([path]) => keys.map((key) => [path, key] as const)),
      async ([path, key]) => {
        const headers: Record<string, string> = key === undefined ? {} : { "X-SVC-ClientKey": key };
        const answer = await send(path, { raw: "{", headers });
        requireRefusal(answer, 401);
        expect(answer.headers.get("www-authenticate")).toBe("ClientKey");
      },
    );
  });

  it("a service account's token does not open the data plane, nor a key /configs", async () => {
    const bearer = { Authorization: `Bearer ${environment().service_account_token}` };
    for (const [path] of dataPlane) requireRefusal(await ask(bearer, path), 401);
    // That every endpoint requires a credential is shown by every-endpoint.
    const some = collections.filter((path) => /projects|policies|agent-credentials/.test(path));
    await inParallel(long(some, collections), async (path) => {
      const withKeyOnly = await ask({ "X-SVC-ClientKey": tenant.key }, path);
      requireRefusal(withKeyOnly, 401);
      expect(withKeyOnly.headers.get("www-authenticate")).toMatch(/^Bearer( realm="[^"]+")?$/);
      for (const token of [
        tenant.key,
        "x",
        flipped(environment().service_account_token),
        await issuer.sign("p"),
      ]) {
        const answer = await ask({ Authorization: `Bearer ${token}` }, path);
        requireRefusal(answer, 401);
        expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer error="invalid_token"/);
      }
    });
  });

  it("the key of a deleted agent is refused", async () => {
    const agent = await createAgent(tenant.applicationId, ["Authorization"]);
    expect((await ask({ "X-SVC-ClientKey": agent.key })).status).toBe(200);
    await openAdmin().agents.delete(agent.agentId);
    const refused = await eventually(
      () => ask({ "X-SVC-ClientKey": agent.key }),
      ({ status }) => status !== 200,
    );
    requireRefusal(refused, 401);
  });

  it("an agent without the permission gets 403, whose message names it, before the body is looked at", async () => {
    const granted: readonly Permission[] = [
      "Capture",
      "Authorization",
      "ContXIQ",
      "EntityMatching",
      "IKGRead",
    ];
    await inParallel(granted, async (permission) => {
      const { key } = await createAgent(tenant.applicationId, [permission]);
      for (const [path, needed] of dataPlane) {
        const answer = await send(path, { raw: "{", headers: { "X-SVC-ClientKey": key } });
        const may = needed === permission;
        requireRefusal(answer, may ? 400 : 403);
        expect(answer.text).toContain(may ? "JSON" : needed);
      }
    });
  });

  it("a broken Authorization header is 400, a bearer that cannot be trusted 401, on every endpoint", async () => {
    const paths = ["/access/v1/evaluation", "/access/v1/search/resource"];
    const key = ["X-SVC-ClientKey", tenant.key, "Content-Type", "application/json"];
    const body = new TextEncoder().encode(JSON.stringify(question));
    const good = await issuer.sign("p");
    const broken = [
      ["Authorization", "Bearer"],
      ["Authorization", "Bearer "],
      ["Authorization", "Bearer a b"],
      ["Authorization", 'Bearer "x"'],
      ["Authorization", `Bearer ${good}`, "Authorization", `Bearer ${good}`],
    ];
    for (const path of paths)
      for (const headers of broken) {
        const answer = await sendRaw({ method: "POST", path, headers: [...key, ...headers], body });
        requireRefusal(answer, 400);
        expect(answer.headers.get("www-authenticate")).toBe('Bearer error="invalid_request"');
      }
    const [head = "", payload = "", signature = ""] = good.split(".");
    const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString());
    const now = Math.floor(Date.now() / 1000);
    const untrusted = [
      "x",
      "a.b.c",
      `${head}.${payload}.`,
      `${head}.${payload}`,
      `${head}.${encoded({ ...(claims as object), sub: "q" })}.${signature}`,
      `${encoded({ alg: "none" })}.${payload}.`,
      `${encoded({ alg: "HS256" })}.${payload}.${signature}`,
      `${head}.${payload}.${"A".repeat(5_000)}`,
      await issuer.sign("p", { exp: now - 3_600 }),
      await issuer.sign("p", { exp: undefined }),
      await issuer.sign("p", { exp: "tomorrow" }),
      await issuer.sign("p", { nbf: now + 3_600 }),
      await issuer.sign("p", { iat: now + 3_600 }),
      await issuer.sign("p", { aud: "somebody-else" }),
      await issuer.sign("p", { iss: "https://somebody-else.example" }),
      await issuer.sign(""),
      await issuer.sign("p", { sub: 5 }),
      await issuer.sign("p", { sub: undefined }),
      await issuer.sign("s".repeat(257)),
    ];
    await inParallel(untrusted, async (bearer) => {
      for (const path of paths) {
        const answer = await ask({ "X-SVC-ClientKey": tenant.key, Authorization: `Bearer ${bearer}` }, path);
        requireRefusal(answer, 401);
        expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer error="invalid_token"/);
        for (const part of [head, payload]) expect(answer.text).not.toContain(part);
      }
    });
  });

  it("an expired key is refused at once", async () => {
    const { before, after } = await aroundExpiry;
    expect(before.status).toBe(200);
    requireRefusal(after, 401);
  });

  it("what a caller says about itself in internal headers is ignored", async () => {
    const claims = { kind: "agent", project: tenant.projectId, permissions: ["Authorization"] };
    const forged = `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.x`;
    requireRefusal(await ask({ "X-Internal-Context": forged }), 401);
    const answer = await ask({ "X-Internal-Context": forged, "X-SVC-ClientKey": tenant.key });
    expect(answer.status).toBe(200);
  });
});

describe("headers", () => {
  it("a content type other than application/json is an unparsable body", async () => {
    const body = JSON.stringify(question);
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/jsonp",
      "text/json",
      "x",
      "",
    ]) {
      const headers = { "X-SVC-ClientKey": tenant.key, "Content-Type": type };
      requireRefusal(await send("/access/v1/evaluation", { raw: body, headers }), 400);
    }
    const none = ["X-SVC-ClientKey", tenant.key];
    const bytes = new TextEncoder().encode(body);
    requireRefusal(
      await sendRaw({ method: "POST", path: "/access/v1/evaluation", headers: none, body: bytes }),
      400,
    );
    const parameters = {
      "X-SVC-ClientKey": tenant.key,
      "Content-Type": "Application/JSON; charset=utf-8; x=y",
    };
    expect((await send("/access/v1/evaluation", { raw: body, headers: parameters })).status).toBe(200);
  });

  it("headers beyond every measure are refused and end nothing", async () => {
    const answer = await sendRaw({ method: "GET", path: "/nope", headers: ["X-Large", "x".repeat(40_000)] });
    expect(answer.status).toBe(431);
    expect(answer.body).toEqual({ message: expect.any(String) });
    const many = Array.from({ length: 1_500 }, (_, at) => [`X-${at}`, "y"]).flat();
    requireSound(await sendRaw({ method: "GET", path: "/nope", headers: many.slice(0, 160) }));
    const tooMany = await sendRaw({ method: "GET", path: "/nope", headers: many.slice(0, 1_500) });
    expect([tooMany.status, tooMany.body]).toEqual([431, { message: expect.any(String) }]);
    expect((await send("/healthz")).status).toBe(200);
  });

  it("an unusual X-Request-ID is echoed or replaced, never an error", async () => {
    for (const id of ["plain", "with blanks  inside", "x".repeat(4_000), "\t", "{}'\"`$", "é"]) {
      const headers = ["X-SVC-ClientKey", tenant.key, "X-Request-ID", id];
      const answer = await sendRaw({ method: "GET", path: "/access/v1/evaluation", headers });
      requireRefusal(answer, 405);
      expect(answer.headers.get("x-request-id")).toBeTruthy();
    }
  });

  it("a body beyond its limit is 413, announced or not", async () => {
    const tooLarge = (bytes: number): string => `{"x":"${"x".repeat(bytes)}"}`;
    const mebibyte = 1024 * 1024;
    const headers = { "X-SVC-ClientKey": tenant.key };
    // More of those that are announced are in errors-requests.
    requireRefusal(await send("/access/v1/evaluation", { raw: tooLarge(2 * mebibyte), headers }), 413);
    for (const raw of long([], [tooLarge(10 * mebibyte)]))
      requireRefusal(await send("/capture/v1/nodes", { raw, headers }), 413);
    // Below the limit of capture: it is read, and refused for what it says.
    requireRefusal(await send("/capture/v1/nodes", { raw: tooLarge(3 * mebibyte), headers }), 400);
    const chunked = await sendRaw({
      method: "POST",
      path: "/access/v1/evaluation",
      headers: ["X-SVC-ClientKey", tenant.key, "Content-Type", "application/json"],
      body: new TextEncoder().encode(tooLarge(2 * mebibyte)),
      chunked: true,
    });
    requireRefusal(chunked, 413);
  });
});
