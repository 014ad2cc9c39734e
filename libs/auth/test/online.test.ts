import { describe, expect, it } from "@jest/globals";
import { type Endpoint, json } from "./endpoint.ts";
import { configOf } from "./introspection-under-test.ts";
import {
  byIntrospection,
  byUserinfo,
  endpoint,
  idp,
  matcher,
  nextNumber,
  notVerified,
  now,
  refused,
  tokenOf,
  under,
} from "./online-under-test.ts";

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
    const { claims } = await under.introspect(token, byUserinfo());
    expect(claims).toMatchObject({
      iss: idp.issuer,
      aud: "api",
      acr: "bronze",
      role: "nurse",
      email: "a@example.com",
    });
    expect([50, 51]).toContain(claims["auth_age"]);
    for (const name of ["amr", "scope", "nbf"]) expect(claims).not.toHaveProperty(name);
    const [request] = endpoint.requests;
    expect([request?.method, request?.headers.authorization, request?.headers.accept]).toEqual([
      "GET",
      `Bearer ${token}`,
      "application/json",
    ]);
  });

  it("has what an authorization server adds where the token is silent", async () => {
    endpoint.answer = json({ active: true, sub: "alice", acr: "gold", scope: "read", tenant: 5 });
    const { claims } = await under.introspect(await tokenOf({ scope: "write" }), byIntrospection());
    expect(claims).toMatchObject({ acr: "gold", scope: "write", tenant: 5, sub: "alice" });
  });

  it("may have its subject named by userinfo alone", async () => {
    endpoint.answer = json({ sub: "alice", login: "al" });
    const { subject, claims } = await under.introspect(await tokenOf(), byUserinfo(0, { subClaim: "login" }));
    expect([subject, claims["sub"], claims["original_sub"]]).toEqual(["al", "al", "alice"]);
  });

  it("is asked about at the endpoint of the discovery document unless the record names one", async () => {
    const config = configOf({ ...matcher(), online: { cacheTtl: 0 } });
    // The provider does not take this token, for it is none of its access tokens.
    await expect(under.introspect(await tokenOf(), config)).rejects.toMatchObject(
      refused("refused by its issuer"),
    );
    expect(idp.takeRequests()).toContain("GET /me");
  });

  it.each<[string, unknown]>([
    ["another subject", { sub: "bob" }],
    ["no subject", { email: "a@example.com" }],
  ])("is refused when userinfo has %s", async (_name, body) => {
    endpoint.answer = json(body);
    await expect(under.introspect(await tokenOf(), byUserinfo())).rejects.toMatchObject(
      refused("sub does not match the issuer's response"),
    );
  });

  it.each<[string, object, string]>([
    ["is not active", { active: false }, "not active"],
    ["says nothing of it", { sub: "alice" }, "not active"],
    ["says so by a text", { active: "true" }, "not active"],
    [
      "names another issuer",
      { active: true, iss: "https://other.example" },
      "iss does not match the configuration",
    ],
    ["names another audience", { active: true, aud: ["x", "y"] }, "aud does not match the configuration"],
    ["names another subject", { active: true, sub: "bob" }, "sub does not match the issuer's response"],
    ["says that it has ended", { active: true, exp: 1 }, "expired"],
    ["says that it has not begun", { active: true, nbf: 9_999_999_999 }, "not yet valid"],
  ])("is refused when the authorization server %s", async (_name, body, reason) => {
    endpoint.answer = json(body);
    await expect(under.introspect(await tokenOf(), byIntrospection())).rejects.toMatchObject(refused(reason));
  });

  it.each([401, 403])("is refused when userinfo answers %i", async (status) => {
    endpoint.answer = json({}, status);
    await expect(under.introspect(await tokenOf(), byUserinfo())).rejects.toMatchObject(
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
  ])("is not verified when the userinfo endpoint responds with %s", async (_name, answer) => {
    endpoint.answer = answer;
    const project = { projectId: `of its own ${nextNumber()}` };
    await expect(under.introspect(await tokenOf(), byUserinfo(0, project))).rejects.toMatchObject(
      notVerified,
    );
    expect(endpoint.requests).toHaveLength(1);
  });

  it.each([400, 401, 403, 503])(
    "is not verified when the introspection endpoint responds with %i",
    async (status) => {
      endpoint.answer = json({}, status);
      const project = { projectId: `of its own ${nextNumber()}` };
      await expect(under.introspect(await tokenOf(), byIntrospection(0, project))).rejects.toMatchObject(
        notVerified,
      );
    },
  );
});

describe("what the issuer is not asked about", () => {
  it("is a token that has ended, even one that was accepted before", async () => {
    const config = byUserinfo(3_600);
    const token = await tokenOf({ exp: now() - 30 });
    await under.introspect(token, config);
    expect(endpoint.requests).toHaveLength(1);
    const later = Date.now() + 31_000;
    const { introspection, project } = under;
    await expect(
      introspection.introspect(token, { project, introspects: [config] }, later),
    ).rejects.toMatchObject(refused("expired"));
    expect(endpoint.requests).toHaveLength(1);
  });

  it("is a token with a signature that is not the issuer's", async () => {
    const token = await tokenOf();
    const forged = `${token.slice(0, token.lastIndexOf("."))}.${"A".repeat(86)}`;
    await expect(under.introspect(forged, byUserinfo())).rejects.toMatchObject(
      refused("signature not valid"),
    );
    expect(endpoint.requests).toHaveLength(0);
  });

  it("is a token whose issuer cannot be found out", async () => {
    idp.answerBy((_request, response) => void response.writeHead(503).end());
    try {
      await expect(
        under.introspect(await tokenOf(), byUserinfo(0, { projectId: "not found out" })),
      ).rejects.toMatchObject(notVerified);
    } finally {
      idp.answerBy(undefined);
    }
    expect(endpoint.requests).toHaveLength(0);
  });

  it.each<[string, Endpoint["answer"]]>([
    ["publishes no document", json({}, 404)],
    ["publishes no keys", (q, r) => json({ issuer: idp.issuer })(q, r)],
  ])("is nothing when the issuer %s: its word alone counts", async (_name, answer) => {
    idp.answerBy(answer);
    try {
      await expect(under.introspect(await tokenOf(), byUserinfo())).resolves.toMatchObject({
        subject: "alice",
      });
    } finally {
      idp.answerBy(undefined);
    }
  });
});

describe("an unavailable issuer", () => {
  it("is not called after five failures, by the project that had them", async () => {
    endpoint.answer = json({}, 500);
    const config = byUserinfo(0, { projectId: "unlucky" });
    for (let i = 0; i < 5; i++)
      await expect(under.introspect(await tokenOf(), config)).rejects.toMatchObject(notVerified);
    endpoint.requests.length = 0;
    await expect(under.introspect(await tokenOf(), config)).rejects.toMatchObject(notVerified);
    expect(endpoint.requests).toHaveLength(0);
    expect(under.counted).toContain("ikg_bearers_not_judged_total circuit_open");
    expect(under.counted).toContain("ikg_issuer_circuits_opened_total");

    endpoint.answer = json({ sub: "alice" });
    await expect(
      under.introspect(await tokenOf(), byUserinfo(0, { projectId: "lucky" })),
    ).resolves.toBeDefined();
  });

  it("is not assumed when many tokens come at once", async () => {
    const config = byUserinfo(0, { projectId: "crowded" });
    const tokens = await Promise.all(Array.from({ length: 100 }, () => tokenOf()));
    const results = await Promise.allSettled(tokens.map((token) => under.introspect(token, config)));
    expect(results.filter(({ status }) => status === "fulfilled").length).toBeGreaterThanOrEqual(32);
    await expect(under.introspect(await tokenOf(), config)).resolves.toMatchObject({ subject: "alice" });
  });

  it("inside the network is not asked at all", async () => {
    const online = { userinfoEndpoint: "http://10.0.0.1/me", cacheTtl: 0 };
    await expect(under.introspect(await tokenOf(), configOf({ ...matcher(), online }))).rejects.toMatchObject(
      notVerified,
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
    await under.introspect(token, config).catch((error: unknown) => errors.push(error));
  }
  expect(errors).toHaveLength(3);
  const output = JSON.stringify([under.logged, errors.map((error) => [String(error), error])]);
  const signature = token.slice(token.lastIndexOf(".") + 1);
  const basic = Buffer.from("c:s").toString("base64");
  for (const secret of [signature, "secret.example", basic, "Basic "]) expect(output).not.toContain(secret);
  expect(output).toContain('"claims":["email_verified"]');
});
