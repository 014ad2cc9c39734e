import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { type JWTPayload, SignJWT } from "jose";
import { type IntrospectionConfig, newCredential } from "../src/index.ts";
import { type Endpoint, json, startEndpoint } from "./endpoint.ts";
import { type IdentityProvider, startIdentityProvider } from "./identity-provider.ts";
import {
  configOf,
  type IntrospectionUnderTest,
  openIntrospectionUnderTest,
} from "./introspection-under-test.ts";

let idp: IdentityProvider;
let endpoint: Endpoint;
let under: IntrospectionUnderTest;
let number = 0;

beforeAll(async () => {
  jest.spyOn(console, "warn").mockImplementation(() => undefined);
  idp = await startIdentityProvider();
  endpoint = await startEndpoint();
  under = openIntrospectionUnderTest();
});

afterAll(async () => {
  await under.close();
  await endpoint.close();
  await idp.close();
});

beforeEach(() => {
  endpoint.asked.length = 0;
  endpoint.answer = json({ sub: "alice" });
  idp.asked();
});

const now = () => Math.floor(Date.now() / 1000);

/** A token unlike every other, signed by the provider. */
const tokenOf = (claims: JWTPayload = {}): Promise<string> => {
  const { kid, privateKey } = idp.key("ES256");
  const payload = { iss: idp.issuer, aud: "api", sub: "alice", exp: now() + 300, iat: now() - 10 };
  return new SignJWT({ ...payload, jti: `t${number++}`, ...claims })
    .setProtectedHeader({ alg: "ES256", kid })
    .sign(privateKey);
};

const matcher = () => ({ jwtMatcher: { issuer: idp.issuer, audience: "api" } });
const byUserinfo = (cacheTtl = 0, more: Partial<IntrospectionConfig> = {}): IntrospectionConfig =>
  configOf({ ...matcher(), online: { userinfoEndpoint: endpoint.url, cacheTtl }, ...more });
const byIntrospection = (cacheTtl = 0, more: Partial<IntrospectionConfig> = {}): IntrospectionConfig =>
  configOf({
    ...matcher(),
    online: { introspection: { endpoint: endpoint.url, clientId: "c", clientSecret: "s" }, cacheTtl },
    ...more,
  });

const refused = (reason: string) => ({
  code: "bearer_invalid",
  status: 401,
  headers: { "WWW-Authenticate": `Bearer error="invalid_token", error_description="${reason}"` },
});
const notJudged = { code: "unavailable", status: 503, headers: { "Retry-After": "5" } };

describe("a JWT that its issuer is asked about", () => {
  it("has its own claims, and those of userinfo that do not speak of the token", async () => {
    endpoint.answer = json({
      sub: "alice",
      email: "a@example.com",
      role: "nurse",
      iss: "https://evil.example",
      aud: "evil",
      exp: 1,
      iat: 1,
      nbf: 9_999_999_999,
      auth_time: 1,
      acr: "gold",
      amr: ["mfa"],
      scope: "everything",
    });
    const token = await tokenOf({ auth_time: now() - 50, acr: "bronze", role: "clerk" });
    const { claims } = await under.judge(token, byUserinfo());
    expect(claims).toMatchObject({
      iss: idp.issuer,
      aud: "api",
      acr: "bronze",
      role: "nurse",
      email: "a@example.com",
    });
    expect([50, 51]).toContain(claims["auth_age"]);
    for (const name of ["amr", "scope", "nbf"]) expect(claims).not.toHaveProperty(name);
    const [asked] = endpoint.asked;
    expect([asked?.method, asked?.headers.authorization, asked?.headers.accept]).toEqual([
      "GET",
      `Bearer ${token}`,
      "application/json",
    ]);
  });

  it("has what an authorization server adds where the token is silent", async () => {
    endpoint.answer = json({ active: true, sub: "alice", acr: "gold", scope: "read", tenant: 5 });
    const { claims } = await under.judge(await tokenOf({ scope: "write" }), byIntrospection());
    expect(claims).toMatchObject({ acr: "gold", scope: "write", tenant: 5, sub: "alice" });
  });

  it("may have its subject named by userinfo alone", async () => {
    endpoint.answer = json({ sub: "alice", login: "al" });
    const { subject, claims } = await under.judge(await tokenOf(), byUserinfo(0, { subClaim: "login" }));
    expect([subject, claims["sub"], claims["original_sub"]]).toEqual(["al", "al", "alice"]);
  });

  it("is asked about at the endpoint of the discovery document unless the record names one", async () => {
    const config = configOf({ ...matcher(), online: { cacheTtl: 0 } });
    // The provider does not take this token, for it is none of its access tokens.
    await expect(under.judge(await tokenOf(), config)).rejects.toMatchObject(
      refused("refused by its issuer"),
    );
    expect(idp.asked()).toContain("GET /me");
  });

  it.each<[string, unknown]>([
    ["another subject", { sub: "bob" }],
    ["no subject", { email: "a@example.com" }],
  ])("is refused when userinfo has %s", async (_name, body) => {
    endpoint.answer = json(body);
    await expect(under.judge(await tokenOf(), byUserinfo())).rejects.toMatchObject(
      refused("a claim does not fit"),
    );
  });

  it.each<[string, object, string]>([
    ["is not active", { active: false }, "not active"],
    ["says nothing of it", { sub: "alice" }, "not active"],
    ["says so by a text", { active: "true" }, "not active"],
    ["names another issuer", { active: true, iss: "https://other.example" }, "a claim does not fit"],
    ["names another audience", { active: true, aud: ["x", "y"] }, "a claim does not fit"],
    ["names another subject", { active: true, sub: "bob" }, "a claim does not fit"],
    ["says that it has ended", { active: true, exp: 1 }, "expired"],
    ["says that it has not begun", { active: true, nbf: 9_999_999_999 }, "not yet valid"],
  ])("is refused when the authorization server %s", async (_name, body, reason) => {
    endpoint.answer = json(body);
    await expect(under.judge(await tokenOf(), byIntrospection())).rejects.toMatchObject(refused(reason));
  });

  it.each([401, 403])("is refused when userinfo answers %i", async (status) => {
    endpoint.answer = json({}, status);
    await expect(under.judge(await tokenOf(), byUserinfo())).rejects.toMatchObject(
      refused("refused by its issuer"),
    );
  });

  it.each<[string, Endpoint["answer"]]>([
    ["404", json({}, 404)],
    ["500", json({}, 500)],
    ["302", (_q, response) => void response.writeHead(302, { Location: "/elsewhere" }).end()],
    ["201", json({ sub: "alice" }, 201)],
    ["text", (_q, response) => void response.writeHead(200, { "Content-Type": "text/html" }).end("{}")],
    ["a signed answer", (_q, r) => void r.writeHead(200, { "Content-Type": "application/jwt" }).end("a.b.c")],
    ["an array", json([{ sub: "alice" }])],
    ["too much", json({ sub: "alice", x: "x".repeat(1024 * 1024) })],
    ["nothing", (request) => void request.socket.destroy()],
  ])("is not judged when userinfo answers %s", async (_name, answer) => {
    endpoint.answer = answer;
    const project = { projectId: `of its own ${number++}` };
    await expect(under.judge(await tokenOf(), byUserinfo(0, project))).rejects.toMatchObject(notJudged);
    expect(endpoint.asked).toHaveLength(1);
  });

  it.each([400, 401, 403, 503])("is not judged when introspection answers %i", async (status) => {
    endpoint.answer = json({}, status);
    const project = { projectId: `of its own ${number++}` };
    await expect(under.judge(await tokenOf(), byIntrospection(0, project))).rejects.toMatchObject(notJudged);
  });
});

describe("what the issuer is not asked about", () => {
  it("is a token that has ended, even one that was accepted before", async () => {
    const config = byUserinfo(3_600);
    const token = await tokenOf({ exp: now() - 30 });
    await under.judge(token, config);
    expect(endpoint.asked).toHaveLength(1);
    const later = Date.now() + 31_000;
    const { introspection, project } = under;
    await expect(
      introspection.introspect(token, { project, introspects: [config] }, later),
    ).rejects.toMatchObject(refused("expired"));
    expect(endpoint.asked).toHaveLength(1);
  });

  it("is a token with a signature that is not the issuer's", async () => {
    const token = await tokenOf();
    const forged = `${token.slice(0, token.lastIndexOf("."))}.${"A".repeat(86)}`;
    await expect(under.judge(forged, byUserinfo())).rejects.toMatchObject(refused("signature not valid"));
    expect(endpoint.asked).toHaveLength(0);
  });

  it("is a token whose issuer cannot be found out", async () => {
    idp.answerBy((_request, response) => void response.writeHead(503).end());
    try {
      await expect(
        under.judge(await tokenOf(), byUserinfo(0, { projectId: "not found out" })),
      ).rejects.toMatchObject(notJudged);
    } finally {
      idp.answerBy(undefined);
    }
    expect(endpoint.asked).toHaveLength(0);
  });

  it.each<[string, Endpoint["answer"]]>([
    ["publishes no document", json({}, 404)],
    ["publishes no keys", (q, r) => json({ issuer: idp.issuer })(q, r)],
  ])("is nothing when the issuer %s: its word alone counts", async (_name, answer) => {
    idp.answerBy(answer);
    try {
      await expect(under.judge(await tokenOf(), byUserinfo())).resolves.toMatchObject({ subject: "alice" });
    } finally {
      idp.answerBy(undefined);
    }
  });
});

describe("a good answer", () => {
  it("is kept for cache_ttl, for every process, and ages grow all the same", async () => {
    const config = byUserinfo(60);
    const token = await tokenOf({ auth_time: now() - 100 });
    const first = await under.judge(token, config);
    const again = await under.judge(token, config);
    const other = openIntrospectionUnderTest({ graph: under.graph });
    const elsewhere = await other.judge(token, config);
    const { introspection, project } = other;
    const later = await introspection.introspect(
      token,
      { project, introspects: [config] },
      Date.now() + 20_000,
    );
    await other.close();
    expect(endpoint.asked).toHaveLength(1);
    expect([again.subject, elsewhere.subject]).toEqual(["alice", "alice"]);
    expect(Number(later.claims["auth_age"]) - Number(first.claims["auth_age"])).toBeGreaterThanOrEqual(20);
    expect(Number(later.claims["token_age"]) - Number(first.claims["token_age"])).toBeGreaterThanOrEqual(20);
  });

  it("is read with a former key, and by nobody without it", async () => {
    const config = byUserinfo(60);
    const token = await tokenOf();
    await under.judge(token, config);
    expect(endpoint.asked).toHaveLength(1);
    const [former, next] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
    const rotated = openIntrospectionUnderTest({ graph: under.graph, keys: [next, former] });
    await expect(rotated.judge(token, config)).resolves.toMatchObject({ subject: "alice" });
    await rotated.close();
    expect(endpoint.asked).toHaveLength(1);
    const without = openIntrospectionUnderTest({ graph: under.graph, keys: [next] });
    await expect(without.judge(token, config)).resolves.toMatchObject({ subject: "alice" });
    await without.close();
    expect(endpoint.asked).toHaveLength(2);
  });

  it("is asked for again after cache_ttl, with another version, and for another configuration", async () => {
    const config = byUserinfo(60);
    const token = await tokenOf();
    const { introspection, project } = under;
    const judge = (introspects: IntrospectionConfig[], ms = 0) =>
      introspection.introspect(token, { project, introspects }, Date.now() + ms);
    await judge([config]);
    await judge([config], 59_000);
    expect(endpoint.asked).toHaveLength(1);
    await judge([config], 60_001);
    expect(endpoint.asked).toHaveLength(2);
    await judge([{ ...config, version: 2 }]);
    await judge([{ ...config, id: `${config.id} other` }]);
    expect(endpoint.asked).toHaveLength(4);
  });

  it("ends with the token", async () => {
    const config = byUserinfo(3_600);
    const token = await tokenOf({ exp: now() + 5 });
    await under.judge(token, config);
    const [place] = await under.redis.keys(`bearer:*${config.id}*`);
    expect(place).toBeDefined();
    expect(await under.redis.pttl(place ?? "")).toBeLessThanOrEqual(5_000);
  });

  it("is sealed where it is kept, and cannot be moved to another token", async () => {
    const config = byUserinfo(60);
    const [token, other] = [await tokenOf({ email: "a@example.com" }), await tokenOf()];
    await under.judge(token, config);
    const [place = ""] = await under.redis.keys(`bearer:*${config.id}*`);
    const sealed = (await under.redis.getBuffer(place)) ?? Buffer.alloc(0);
    expect(place).not.toContain(token);
    for (const text of ["alice", "a@example.com", token]) expect(sealed.includes(text)).toBe(false);

    await under.judge(other, config);
    const places = await under.redis.keys(`bearer:*${config.id}*`);
    const otherPlace = places.find((each) => each !== place) ?? "";
    await under.redis.set(otherPlace, sealed, "EX", 60);
    const fresh = openIntrospectionUnderTest({ graph: under.graph });
    endpoint.asked.length = 0;
    await fresh.judge(other, config);
    await fresh.close();
    expect(endpoint.asked).toHaveLength(1);
  });

  it("is not kept with cache_ttl 0, nor is a refusal", async () => {
    const token = await tokenOf();
    const config = byUserinfo(0);
    await under.judge(token, config);
    await under.judge(token, config);
    expect(endpoint.asked).toHaveLength(2);

    const kept = byUserinfo(60);
    endpoint.answer = json({}, 401);
    await expect(under.judge(token, kept)).rejects.toMatchObject({ code: "bearer_invalid" });
    endpoint.answer = json({ sub: "alice" });
    await expect(under.judge(token, kept)).resolves.toMatchObject({ subject: "alice" });
  });

  it("is asked for once by all that wait for it", async () => {
    const config = byUserinfo(60);
    const token = await tokenOf();
    await Promise.all(Array.from({ length: 50 }, () => under.judge(token, config)));
    expect(endpoint.asked).toHaveLength(1);
  });

  it("is not kept without Redis, but by the process", async () => {
    const lonely = openIntrospectionUnderTest({ graph: under.graph, redisUrl: "redis://127.0.0.1:1" });
    const config = byUserinfo(60);
    const token = await tokenOf();
    await lonely.judge(token, config);
    await lonely.judge(token, config);
    await lonely.close();
    expect(endpoint.asked).toHaveLength(1);
  });

  it("is not kept when it is longer than 16 KiB", async () => {
    const config = byUserinfo(60);
    const keptOf = () => under.redis.keys(`bearer:*${config.id}*`);
    endpoint.answer = json({ sub: "alice", about: "x".repeat(20_000) });
    await expect(under.judge(await tokenOf(), config)).resolves.toMatchObject({ subject: "alice" });
    expect(await keptOf()).toEqual([]);
    endpoint.answer = json({ sub: "alice", about: "x".repeat(2_000) });
    await under.judge(await tokenOf(), config);
    expect(await keptOf()).toHaveLength(1);
  });

  it.each(["ak1", "sa1"] as const)("is not sought about a credential of this server: %s", async (prefix) => {
    const config = byIntrospection(0, { jwtMatcher: undefined, opaqueMatcher: { hint: "x" } });
    await expect(under.judge(newCredential(prefix).token, config)).rejects.toMatchObject(
      refused("a key or service-account token is not a user's token"),
    );
    expect(endpoint.asked).toEqual([]);
  });

  it("about an opaque token ends when the answer says so", async () => {
    const config = byIntrospection(3_600, { jwtMatcher: undefined, opaqueMatcher: { hint: "x" } });
    endpoint.answer = json({ active: true, sub: "carol", exp: now() + 10 });
    await under.judge(`opaque-${number++}`, config);
    const [place = ""] = await under.redis.keys(`bearer:*${config.id}*`);
    expect(await under.redis.pttl(place)).toBeLessThanOrEqual(10_000);
  });
});

describe("an issuer that is away", () => {
  it("is left alone after five failures, by the project that saw them", async () => {
    endpoint.answer = json({}, 500);
    const config = byUserinfo(0, { projectId: "unlucky" });
    for (let i = 0; i < 5; i++)
      await expect(under.judge(await tokenOf(), config)).rejects.toMatchObject(notJudged);
    endpoint.asked.length = 0;
    await expect(under.judge(await tokenOf(), config)).rejects.toMatchObject(notJudged);
    expect(endpoint.asked).toHaveLength(0);
    expect(under.counted).toContain("ikg_bearers_not_judged_total circuit_open");
    expect(under.counted).toContain("ikg_issuer_circuits_opened_total");

    endpoint.answer = json({ sub: "alice" });
    await expect(under.judge(await tokenOf(), byUserinfo(0, { projectId: "lucky" }))).resolves.toBeDefined();
  });

  it("is not taken for away because many tokens come at once", async () => {
    const config = byUserinfo(0, { projectId: "crowded" });
    const tokens = await Promise.all(Array.from({ length: 100 }, () => tokenOf()));
    const results = await Promise.allSettled(tokens.map((token) => under.judge(token, config)));
    expect(results.filter(({ status }) => status === "fulfilled").length).toBeGreaterThanOrEqual(32);
    await expect(under.judge(await tokenOf(), config)).resolves.toMatchObject({ subject: "alice" });
  });

  it("is given five seconds", async () => {
    endpoint.answer = () => undefined;
    const started = Date.now();
    await expect(under.judge(await tokenOf(), byUserinfo(0, { projectId: "slow" }))).rejects.toMatchObject(
      notJudged,
    );
    expect(Date.now() - started).toBeGreaterThan(4_500);
    expect(Date.now() - started).toBeLessThan(7_000);
  });

  it("inside the network is not asked at all", async () => {
    const online = { userinfoEndpoint: "http://10.0.0.1/me", cacheTtl: 0 };
    await expect(under.judge(await tokenOf(), configOf({ ...matcher(), online }))).rejects.toMatchObject(
      notJudged,
    );
    expect(under.counted).toContain("ikg_bearers_not_judged_total blocked_address");
  });
});

it("leaves no token, claim or secret in log and errors", async () => {
  const token = await tokenOf({ email: "alice@secret.example" });
  const config = byIntrospection(0, {
    projectId: "quiet",
    claimsMapping: { verified: { selector: "email_verified" } },
  });
  const errors: unknown[] = [];
  for (const answer of [
    json({ active: true, sub: "alice", email_verified: "yes-secret.example" }),
    json({ active: false }),
    json({ error: token }, 500),
    (_q: unknown, r: { end(text: string): void }) => r.end(`<html>${token}`),
  ] as Endpoint["answer"][]) {
    endpoint.answer = answer;
    await under.judge(token, config).catch((error: unknown) => errors.push(error));
  }
  expect(errors).toHaveLength(3);
  const told = JSON.stringify([under.logged, errors.map((error) => [String(error), error])]);
  const signature = token.slice(token.lastIndexOf(".") + 1);
  const basic = Buffer.from("c:s").toString("base64");
  for (const secret of [signature, "secret.example", basic, "Basic "]) expect(told).not.toContain(secret);
  expect(told).toContain('"claims":["email_verified"]');
});
