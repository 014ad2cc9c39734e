import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { afterAll, describe, expect, it } from "@jest/globals";
import { type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { newGid, defaultOrganizationNames, effectiveLimits } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import { projectKey } from "@ikg/physical";
import { Redis } from "ioredis";
import { openIntrospection } from "./introspect.ts";
import type { IntrospectionConfig } from "./types.ts";

const pair = (kid?: string) => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    privateKey,
    jwk: JSON.stringify({ ...publicKey.export({ format: "jwk" }), ...(kid ? { kid } : {}) }),
  };
};
const key = pair("one");
const nameless = pair();
const other = pair("two");

const issuer = "https://idp.example.com/";
const config: IntrospectionConfig = {
  id: "gid:config",
  version: 1,
  createTime: "2026-01-01T00:00:00.000Z",
  projectId: "gid:project",
  jwtMatcher: { issuer, audience: "app" },
  offline: { publicJwks: [key.jwk, nameless.jwk] },
  claimsMapping: {
    mail: { selector: "email" },
    verified: { selector: "email_verified" },
    iss: { selector: "email" },
  },
  subClaim: "sub",
  nodeType: "Person",
  performUpsert: false,
};
const pk = projectKey("abcdefgh");
const now = 1_800_000_000_000;
const seconds = now / 1000;

const warnings: Record<string, unknown>[] = [];
const redis = new Redis({ lazyConnect: true, enableOfflineQueue: false, retryStrategy: () => null });
const introspection = openIntrospection({
  service: "access",
  settings: {
    TOKEN_SEALING_KEY: Buffer.alloc(32, 7),
    TOKEN_CLOCK_SKEW_SECONDS: 60,
    EGRESS_ALLOW_HTTP: false,
    EGRESS_ALLOW_HOSTS: [],
    EGRESS_ALLOW_CIDRS: [],
  },
  // Neither is used for a token that is verified by registered keys and writes no node.
  graph: {} as Graph,
  redis,
  metrics: { counter: () => ({ inc: () => undefined }) },
  log: { warn: (_message, fields) => void warnings.push(fields ?? {}) },
});
afterAll(async () => {
  await introspection.close();
  redis.disconnect();
});

const claims: JWTPayload = { iss: issuer, aud: "app", sub: "alice", exp: seconds + 300, iat: seconds - 10 };
interface Signing {
  readonly key?: KeyObject;
  readonly header?: Record<string, unknown>;
}
const sign = (
  payload: JWTPayload,
  { key: privateKey = key.privateKey, header = {} }: Signing = {},
): Promise<string> =>
  new SignJWT(payload).setProtectedHeader({ alg: "ES256", kid: "one", ...header }).sign(privateKey);
const introspect = (token: string, configs: readonly IntrospectionConfig[] = [config], at = now) =>
  introspection.introspect(
    token,
    {
      project: {
        id: "gid:project",
        pk,
        limits: effectiveLimits(undefined),
        organizationId: newGid("organization"),
        organizationNames: defaultOrganizationNames,
      },
      introspects: configs,
    },
    at,
  );
const without = (name: string): JWTPayload =>
  Object.fromEntries(Object.entries(claims).filter(([each]) => each !== name));

describe("a token that is accepted", () => {
  it("gives its claims, the mapped ones, the subject and the ages", async () => {
    const token = await sign({
      ...claims,
      email: "a@example.com",
      email_verified: "yes",
      auth_time: String(seconds - 100),
      realm: { role: "admin" },
      external_id: "mallory",
      auth_age: 0,
    });
    const { subject, claims: seen, configId, nodeType } = await introspect(token);
    expect({ subject, configId, nodeType }).toEqual({
      subject: "alice",
      configId: "gid:config",
      nodeType: "Person",
    });
    expect(seen).toMatchObject({
      sub: "alice",
      external_id: "alice",
      iss: issuer,
      mail: "a@example.com",
      realm: { role: "admin" },
      auth_age: 100,
      token_age: 10,
    });
    // A standard claim of the wrong type is not mapped, and nothing hides the system's own.
    expect(seen).not.toHaveProperty("verified");
    expect(seen).not.toHaveProperty("original_sub");
  });

  it("ages anew on every call", async () => {
    const token = await sign({ ...claims, auth_time: seconds - 5 });
    expect((await introspect(token)).claims["auth_age"]).toBe(5);
    expect((await introspect(token, [config], now + 7_900)).claims).toMatchObject({
      auth_age: 12,
      token_age: 17,
    });
  });

  it("has no age without a time it could have", async () => {
    for (const time of [undefined, "soon", null, true]) {
      const token = await sign({ ...without("iat"), ...(time === undefined ? {} : { auth_time: time }) });
      expect((await introspect(token)).claims).toMatchObject({ auth_age: null, token_age: null });
    }
    expect((await introspect(await sign({ ...claims, auth_time: seconds + 50 }))).claims["auth_age"]).toBe(0);
  });

  it("may name its subject by another claim", async () => {
    const token = await sign({ ...claims, user: "u-1" });
    const { subject, claims: seen } = await introspect(token, [
      { ...config, id: "gid:user", subClaim: "user" },
    ]);
    expect([subject, seen["sub"], seen["external_id"], seen["original_sub"]]).toEqual([
      "u-1",
      "u-1",
      "u-1",
      "alice",
    ]);
  });

  it("keeps a claim of any name as an own property", async () => {
    const payload: JWTPayload = Object.fromEntries([
      ...Object.entries(claims),
      ["__proto__", { admin: true }],
    ]);
    const mapping = Object.fromEntries([
      ["__proto__", { selector: "__proto__" }],
      ["none", { selector: "toString" }],
    ]);
    const { claims: seen } = await introspect(await sign(payload), [
      { ...config, id: "gid:p", claimsMapping: mapping },
    ]);
    expect(Object.hasOwn(seen, "__proto__")).toBe(true);
    expect(Object.getPrototypeOf(seen)).toBe(Object.prototype);
    expect(seen["admin"]).toBeUndefined();
    expect(Object.hasOwn(seen, "none")).toBe(false);
  });

  it.each([
    ["an audience among several", { ...claims, aud: ["x", "app"] }, {}],
    ["no kid", claims, { header: { kid: undefined } }],
    [
      "an unknown kid, signed by the key that has none",
      claims,
      { key: nameless.privateKey, header: { kid: "new" } },
    ],
    [
      "no kid, signed by the second of two keys",
      claims,
      { key: nameless.privateKey, header: { kid: undefined } },
    ],
    ["the type of an access token", claims, { header: { typ: "at+JWT" } }],
    ["an end within the skew", { ...claims, exp: seconds - 59 }, {}],
    ["a start within the skew", { ...claims, nbf: seconds + 59 }, {}],
  ])("with %s", async (_name, payload, signing) => {
    await expect(introspect(await sign(payload, signing))).resolves.toMatchObject({ subject: "alice" });
  });
});

describe("a token that is refused", () => {
  const cases: [string, string, () => Promise<string> | string][] = [
    ["no JWT", "no configuration matches", () => "opaque"],
    ["another issuer", "no configuration matches", () => sign({ ...claims, iss: "https://idp.example.com" })],
    ["another audience", "no configuration matches", () => sign({ ...claims, aud: "other" })],
    ["no audience", "no configuration matches", () => sign(without("aud"))],
    ["no subject", "no configuration matches", () => sign(without("sub"))],
    ["no end", "exp missing", () => sign(without("exp"))],
    ["past", "expired", () => sign({ ...claims, exp: seconds - 60 })],
    ["not begun", "not yet valid", () => sign({ ...claims, nbf: seconds + 61 })],
    ["issued later", "issued in the future", () => sign({ ...claims, iat: seconds + 61 })],
    ["a foreign key", "signature not valid", () => sign(claims, { key: other.privateKey })],
    ["alg none", "algorithm not allowed", () => new UnsecuredJWT(claims).encode()],
    [
      "a shared secret made of the public key",
      "algorithm not allowed",
      () => new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(Buffer.from(key.jwk)),
    ],
    ["a type of its own", "type not allowed", () => sign(claims, { header: { typ: "dpop+jwt" } })],
    [
      "an empty subject",
      "subject claim must be a string of 1 to 256 characters",
      () => sign({ ...claims, sub: "" }),
    ],
    [
      "a long subject",
      "subject claim must be a string of 1 to 256 characters",
      () => sign({ ...claims, sub: "a".repeat(257) }),
    ],
    [
      "a changed claim",
      "signature not valid",
      async () => {
        const [header, , signature] = (await sign(claims)).split(".");
        return `${header}.${Buffer.from(JSON.stringify({ ...claims, sub: "bob" })).toString("base64url")}.${signature}`;
      },
    ],
    [
      "a critical header",
      "critical header not supported",
      async () => {
        const [, payload, signature] = (await sign(claims)).split(".");
        const header = Buffer.from('{"alg":"ES256","crit":["x"],"x":1}').toString("base64url");
        return `${header}.${payload}.${signature}`;
      },
    ],
  ];

  it.each(cases)("has %s: %s", async (_name, reason, make) => {
    const token = await make();
    await expect(introspect(token)).rejects.toMatchObject({
      code: "bearer_invalid",
      status: 401,
      message: `bearer token not valid: ${reason}`,
      headers: { "WWW-Authenticate": `Bearer error="invalid_token", error_description="${reason}"` },
    });
  });

  it("is refused again after it ended, though it was accepted before", async () => {
    const token = await sign({ ...claims, exp: seconds + 5 });
    await introspect(token);
    await introspect(token, [config], now + 64_000);
    await expect(introspect(token, [config], now + 65_000)).rejects.toMatchObject({ code: "bearer_invalid" });
  });

  it("is verified anew by a new version of its configuration", async () => {
    const token = await sign(claims);
    await introspect(token);
    const changed = { ...config, version: 2, offline: { publicJwks: [other.jwk] } };
    await expect(introspect(token, [changed])).rejects.toMatchObject({ code: "bearer_invalid" });
    await expect(introspect(token)).resolves.toMatchObject({ subject: "alice" });
  });

  it("leaves nothing of itself in the log", async () => {
    const token = await sign(claims, { key: other.privateKey });
    await expect(introspect(token)).rejects.toThrow();
    expect(JSON.stringify(warnings)).not.toContain(token.slice(-20));
    expect(warnings.at(-1)).toEqual({
      token_sha256: expect.stringMatching(/^[0-9a-f]{16}$/),
      configuration: "gid:config",
      reason: "bearer token not valid: signature not valid",
    });
  });
});

describe("several configurations that match", () => {
  it("are decided by age, then by id", async () => {
    const token = await sign({ ...claims, aud: ["app", "second"] });
    const second = { ...config, id: "gid:second", jwtMatcher: { issuer, audience: "second" } };
    const older = { ...second, createTime: "2025-12-31T00:00:00.000Z" };
    expect((await introspect(token, [config, second])).configId).toBe("gid:config");
    expect((await introspect(token, [second, config])).configId).toBe("gid:config");
    expect((await introspect(token, [config, older])).configId).toBe("gid:second");
  });
});
