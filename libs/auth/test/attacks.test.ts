import { createHmac, generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { SignJWT } from "jose";
import type { IntrospectionConfig } from "../src/index.ts";
import { type Endpoint, json, startEndpoint } from "./endpoint.ts";
import { type IdentityProvider, startIdentityProvider } from "./identity-provider.ts";
import {
  configOf,
  type IntrospectionUnderTest,
  openIntrospectionUnderTest,
} from "./introspection-under-test.ts";

let idp: IdentityProvider;
let attacker: Endpoint;
let under: IntrospectionUnderTest;
let config: IntrospectionConfig;

beforeAll(async () => {
  idp = await startIdentityProvider();
  attacker = await startEndpoint();
  under = openIntrospectionUnderTest();
  config = configOf({ jwtMatcher: { issuer: idp.issuer, audience: "api" } });
});

beforeEach(() => {
  attacker.requests.length = 0;
});

afterAll(async () => {
  await under.close();
  await attacker.close();
  await idp.close();
});

const now = () => Math.floor(Date.now() / 1000);
const claimsOf = (more: object = {}): Record<string, unknown> => ({
  iss: idp.issuer,
  aud: "api",
  sub: "alice",
  exp: now() + 300,
  iat: now() - 10,
  ...more,
});
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const foreign = generateKeyPairSync("ec", { namedCurve: "P-256" });
const foreignJwk = foreign.publicKey.export({ format: "jwk" });

/** A token with any header, signed by the provider's key unless another is given. */
const sign = (header: object = {}, more: object = {}, key?: KeyObject): Promise<string> => {
  const { kid, privateKey } = idp.key("ES256");
  return new SignJWT(claimsOf(more))
    .setProtectedHeader({ alg: "ES256", kid, ...header })
    .sign(key ?? privateKey, { crit: { x: true } });
};

const requireRefusal = async (token: string, reason: string, ...configs: IntrospectionConfig[]) => {
  // Each in another project: refusals of one that has many of them in a second are delayed.
  const project = { ...under.project, id: `project-${randomUUID()}` };
  const introspects = configs.length === 0 ? [config] : configs;
  const introspected = under.introspection.introspect(token, { project, introspects }, Date.now());
  await expect(introspected).rejects.toMatchObject({
    code: "bearer_invalid",
    status: 401,
    message: `bearer token not valid: ${reason}`,
    headers: { "WWW-Authenticate": `Bearer error="invalid_token", error_description="${reason}"` },
  });
};

describe("the header", () => {
  it.each(["none", "None", "NONE", "nOnE", "", "HS256", "HS512", "ES256K", "dir", 5, null, ["ES256"]])(
    "with alg %j is refused before an issuer is asked",
    async (alg) => {
      const stranger = configOf({ jwtMatcher: { issuer: attacker.url, audience: "api" } });
      const claims = part(claimsOf({ iss: attacker.url }));
      for (const signature of ["", "AAAA"])
        await requireRefusal(
          `${part({ alg })}.${claims}.${signature}`,
          "algorithm not allowed",
          config,
          stranger,
        );
      expect(attacker.requests).toHaveLength(0);
    },
  );

  it("with HS256 is refused whatever form of the public key is the secret", async () => {
    const { publicKey, kid } = idp.key("RS256");
    const secrets = [
      publicKey.export({ type: "spki", format: "pem" }),
      publicKey.export({ type: "pkcs1", format: "pem" }),
      publicKey.export({ type: "spki", format: "der" }),
      JSON.stringify(publicKey.export({ format: "jwk" })),
    ];
    for (const secret of secrets) {
      const text = `${part({ alg: "HS256", typ: "JWT", kid })}.${part(claimsOf())}`;
      const signature = createHmac("sha256", secret).update(text).digest("base64url");
      await requireRefusal(`${text}.${signature}`, "algorithm not allowed");
    }
  });

  it.each(["dpop+jwt", "JWE", "logout+jwt", "secevent+jwt", "", 5, null, ["JWT"]])(
    "with typ %j is refused",
    async (typ) => {
      const [, payload, signature] = (await sign()).split(".");
      await requireRefusal(
        `${part({ alg: "ES256", typ })}.${payload ?? ""}.${signature ?? ""}`,
        "type not allowed",
      );
    },
  );

  it.each(["JWT", "jwt", "at+jwt", "AT+JWT", "application/at+jwt"])(
    "with typ %j is accepted",
    async (typ) => {
      await expect(under.introspect(await sign({ typ }), config)).resolves.toBeDefined();
    },
  );

  it("with crit is refused", async () => {
    const reason = "critical header not supported";
    await requireRefusal(await sign({ crit: ["x"], x: 1 }), reason);
    for (const crit of [[], "b64", null])
      await requireRefusal(`${part({ alg: "ES256", crit })}.${part(claimsOf())}.AAAA`, reason);
  });

  it("names keys that are never fetched", async () => {
    const address = `${attacker.url}jwks`;
    attacker.answer = json({ keys: [foreignJwk] });
    for (const header of [
      { jku: address },
      { jku: address, kid: undefined },
      { x5u: address },
      { jwk: foreignJwk, kid: undefined },
      { x5c: ["AAAA"] },
    ])
      await requireRefusal(await sign(header, {}, foreign.privateKey), "signature not valid");
    await expect(
      under.introspect(await sign({ jku: address, jwk: foreignJwk }), config),
    ).resolves.toMatchObject({
      subject: "alice",
    });
    expect(attacker.requests).toHaveLength(0);
  });

  it.each([
    "../../../../dev/null",
    "/etc/passwd",
    "' OR 1=1 --",
    "a\u0000b",
    "__proto__",
    "",
    "x".repeat(4_000),
  ])("with kid %j names no key", async (kid) => {
    await requireRefusal(await sign({ kid }, {}, foreign.privateKey), "unknown key");
  });
});

describe("the form", () => {
  it.each<[string, () => string | Promise<string>, string]>([
    ["too long", () => sign({}, { x: "x".repeat(16_384) }), "too long"],
    ["of two parts", () => `${part({ alg: "ES256" })}.${part({})}`, "no configuration matches"],
    ["of five parts", () => `${part({ alg: "dir" })}.a.b.c.d`, "no configuration matches"],
    [
      "with claims that are no object",
      () => `${part({ alg: "ES256" })}.${part([1])}.a`,
      "no configuration matches",
    ],
    ["with claims that are no JSON", () => `${part({ alg: "ES256" })}.abc.a`, "no configuration matches"],
    ["empty", () => "..", "no configuration matches"],
  ])("%s is refused", async (_name, make, reason) => {
    await requireRefusal(await make(), reason);
  });
});

describe("the signature", () => {
  it("of nothing but zeros, or of nothing, is refused", async () => {
    const text = (await sign()).split(".").slice(0, 2).join(".");
    for (const bytes of [0, 64, 63, 65])
      await requireRefusal(`${text}.${Buffer.alloc(bytes).toString("base64url")}`, "signature not valid");
  });

  it("of another kind of key under the name of a known one is refused", async () => {
    const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
    await requireRefusal(await sign({ alg: "RS256" }, {}, rsa.privateKey), "unknown key");
    const ed = generateKeyPairSync("ed25519");
    await requireRefusal(await sign({ alg: "EdDSA" }, {}, ed.privateKey), "unknown key");
  });

  it("by the key of another configuration of the same issuer is refused", async () => {
    const [one, two] = [foreign, generateKeyPairSync("ec", { namedCurve: "P-256" })];
    const of = (pair: typeof one, audience: string, createTime: string) =>
      configOf({
        jwtMatcher: { issuer: idp.issuer, audience },
        offline: {
          publicJwks: [JSON.stringify({ ...pair.publicKey.export({ format: "jwk" }), kid: "same" })],
        },
        createTime,
      });
    const first = of(one, "first", "2026-01-01T00:00:00.000Z");
    const second = of(two, "second", "2026-01-02T00:00:00.000Z");
    const token = (aud: string | string[], pair: typeof one) =>
      sign({ kid: "same" }, { aud }, pair.privateKey);

    await expect(under.introspect(await token("first", one), first, second)).resolves.toBeDefined();
    await expect(under.introspect(await token("second", two), first, second)).resolves.toBeDefined();
    await requireRefusal(await token("first", two), "signature not valid", first, second);
    await requireRefusal(await token("second", one), "signature not valid", first, second);
    // Both match: the oldest is used, in whatever order they come.
    for (const configs of [
      [first, second],
      [second, first],
    ]) {
      await requireRefusal(await token(["first", "second"], two), "signature not valid", ...configs);
      await expect(
        under.introspect(await token(["second", "first"], one), ...configs),
      ).resolves.toMatchObject({
        configId: first.id,
      });
    }
  });

  it.each([
    ["for encryption", { use: "enc" }],
    ["for another algorithm", { alg: "ES384" }],
    ["for signing alone", { key_ops: ["sign"] }],
  ])("by a key that is %s is refused", async (_name, members) => {
    const text = JSON.stringify({ ...foreignJwk, ...members });
    const registered = configOf({ ...config, id: text, offline: { publicJwks: [text] } });
    await requireRefusal(await sign({ kid: undefined }, {}, foreign.privateKey), "unknown key", registered);
  });

  it("is tried with at most ten keys", async () => {
    const others = Array.from({ length: 10 }, () =>
      generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" }),
    );
    const token = await sign({ kid: undefined }, {}, foreign.privateKey);
    const of = (...keys: object[]) =>
      configOf({
        ...config,
        id: `keys ${keys.length}`,
        offline: { publicJwks: keys.map((key) => JSON.stringify(key)) },
      });
    await expect(under.introspect(token, of(...others.slice(1), foreignJwk))).resolves.toBeDefined();
    await requireRefusal(token, "signature not valid", of(...others, foreignJwk));
  });
});

describe("the claims", () => {
  const at = async (token: string, seconds: number) =>
    under.introspection.introspect(token, { project: under.project, introspects: [config] }, seconds * 1000);

  it("end one second beyond the skew", async () => {
    const exp = now() + 5;
    const token = await sign({}, { exp });
    await expect(at(token, exp + 59)).resolves.toBeDefined();
    await expect(at(token, exp + 60)).rejects.toMatchObject({ message: "bearer token not valid: expired" });
    await expect(at(token, exp + 61)).rejects.toMatchObject({ message: "bearer token not valid: expired" });
    await requireRefusal(await sign({}, { exp: now() - 61 }), "expired");
  });

  it.each([
    ["exp", String(9_999_999_999), "exp missing"],
    ["exp", null, "exp missing"],
    ["nbf", "0", "not yet valid"],
    ["iat", "0", "issued in the future"],
    ["sub", "", "subject claim must be a string of 1 to 256 characters"],
    ["sub", "a".repeat(257), "subject claim must be a string of 1 to 256 characters"],
    ["sub", "\ud800", "subject claim must be a string of 1 to 256 characters"],
    ["sub", ["alice"], "no configuration matches"],
    ["sub", null, "no configuration matches"],
    ["aud", [], "no configuration matches"],
    ["aud", ["x", "api "], "no configuration matches"],
    ["aud", [["api"]], "no configuration matches"],
    ["aud", { 0: "api" }, "no configuration matches"],
    ["aud", "api,other", "no configuration matches"],
    ["iss", ["x"], "no configuration matches"],
  ])("with the %s of case %# are refused", async (name, value, reason) => {
    await requireRefusal(await sign({}, { [name]: value }), reason);
  });

  it.each([
    ["aud", ["x", "api"]],
    ["sub", "a".repeat(256)],
    ["sub", "\u{1f600}".repeat(256)],
  ])("with the %s of case %# are accepted", async (name, value) => {
    await expect(under.introspect(await sign({}, { [name]: value }), config)).resolves.toBeDefined();
  });

  it("without a subject, audience, issuer or end are refused", async () => {
    for (const name of ["sub", "aud", "iss"])
      await requireRefusal(await sign({}, { [name]: undefined }), "no configuration matches");
    await requireRefusal(await sign({}, { exp: undefined }), "exp missing");
  });

  it("of a mapped name never show another claim that has that name", async () => {
    const mapping = configOf({ ...config, id: "mapping", claimsMapping: { role: { selector: "groups" } } });
    const { claims } = await under.introspect(await sign({}, { role: "admin" }), mapping);
    expect(claims).not.toHaveProperty("role");
  });
});

it("nothing of any of these tokens is in the log", () => {
  const logText = JSON.stringify(under.logged);
  expect(logText).not.toMatch(/eyJ|alice/);
  expect(logText).toContain("token_sha256");
});
