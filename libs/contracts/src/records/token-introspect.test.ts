import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { newGid } from "../gid.ts";
import { faultsOf } from "../parse.ts";
import { matcherOf, tokenIntrospectUnder } from "./token-introspect.ts";

const { create, update, fields } = tokenIntrospectUnder({ allowHttp: false });
const base = { project_id: newGid("project"), name: "idp", ikg_node_type: "Person" };
const jwt = { ...base, jwt_matcher: { issuer: "https://issuer.example/", audience: "shop" } };
const opaque = { ...base, opaque_matcher: { hint: "github" } };
const userinfo = { userinfo_endpoint: "https://idp.example/me" };
const introspection = {
  introspection_endpoint: "https://idp.example/introspect",
  client_id: "ikg",
  client_secret: "s3cret",
};

const faults = (body: unknown, schema = create): string[] => {
  const result = schema.safeParse(body, { reportInput: true });
  return result.success ? [] : faultsOf(result.error);
};

describe("matchers and validations that go together", () => {
  it.each([
    ["no validation", jwt],
    ["keys of the issuer", { ...jwt, offline_validation: {} }],
    ["an endpoint of the discovery document", { ...jwt, online_validation: {} }],
    ["userinfo", { ...jwt, online_validation: { ...userinfo, cache_ttl: 0 } }],
    ["introspection", { ...jwt, online_validation: { ...introspection, cache_ttl: 3600 } }],
    ["opaque tokens and userinfo", { ...opaque, online_validation: userinfo }],
    ["opaque tokens and introspection", { ...opaque, online_validation: introspection }],
    ["null for what is absent", { ...jwt, opaque_matcher: null, online_validation: null }],
    ["upsert", { ...jwt, perform_upsert: true }],
  ])("%s", (_name, body) => {
    expect(faults(body)).toEqual([]);
    expect(faults(body, update as typeof create)).toEqual([]);
  });
});

describe("what does not go together", () => {
  const needsEndpoint =
    "online_validation: userinfo_endpoint or introspection_endpoint required with opaque_matcher";
  it.each<[string, object, string[]]>([
    ["no matcher", base, ["jwt_matcher: required, unless there is an opaque_matcher"]],
    [
      "two matchers",
      { ...jwt, ...opaque, online_validation: userinfo },
      ["opaque_matcher: not together with jwt_matcher"],
    ],
    [
      "two validations",
      { ...jwt, offline_validation: {}, online_validation: {} },
      ["online_validation: not together with offline_validation"],
    ],
    [
      "opaque tokens and keys",
      { ...opaque, offline_validation: {} },
      ["offline_validation: only with jwt_matcher", needsEndpoint],
    ],
    [
      "opaque tokens and no endpoint to ask",
      { ...opaque, online_validation: { cache_ttl: 5 } },
      [needsEndpoint],
    ],
    [
      "two endpoints",
      { ...jwt, online_validation: { ...userinfo, ...introspection } },
      ["online_validation.introspection_endpoint: not together with userinfo_endpoint"],
    ],
    [
      "introspection without credentials",
      { ...jwt, online_validation: { introspection_endpoint: introspection.introspection_endpoint } },
      [
        "online_validation.client_id: required with introspection_endpoint",
        "online_validation.client_secret: required with introspection_endpoint",
      ],
    ],
    [
      "credentials for nothing",
      { ...jwt, online_validation: { client_secret: "x" } },
      ["online_validation.client_secret: only with introspection_endpoint"],
    ],
  ])("%s", (_name, body, expected) => {
    expect(faults(body)).toEqual(expected);
  });

  it.each([
    ["cache_ttl", -1],
    ["cache_ttl", 3601],
    ["cache_ttl", 1.5],
    ["cache_ttl", "60"],
    ["userinfo_endpoint", "http://idp.example/me"],
    ["userinfo_endpoint", "https://user@idp.example/me"],
    ["userinfo_endpoint", "https://idp.example/me#"],
    ["userinfo_endpoint", "/me"],
    ["userinfo_endpoint", 5],
  ])("%s of %j", (field, value) => {
    const [first, ...rest] = faults({ ...jwt, online_validation: { [field]: value } });
    expect(first).toMatch(new RegExp(`^online_validation\\.${field}: `));
    expect(rest).toEqual([]);
  });

  it("is reported all at once, beside faults of single fields", () => {
    expect(
      faults({
        ...opaque,
        opaque_matcher: { hint: "" },
        offline_validation: { public_jwks: ["{}"] },
        online_validation: { cache_ttl: 9_999, client_id: "x" },
        ikg_node_type: "_Person",
        perform_upsert: "yes",
      }).map((fault) => fault.split(":")[0]),
    ).toEqual(
      expect.arrayContaining([
        "opaque_matcher.hint",
        "offline_validation.public_jwks[0]",
        "offline_validation",
        "online_validation.cache_ttl",
        "online_validation.client_id",
        "online_validation",
        "ikg_node_type",
        "perform_upsert",
      ]),
    );
  });
});

describe("a parsed body", () => {
  it("keeps empty objects, numbers and the secret, and fills in what has a default", () => {
    expect(JSON.parse(JSON.stringify(create.parse({ ...jwt, online_validation: {} })))).toEqual({
      ...jwt,
      online_validation: {},
      claims_mapping: {},
      perform_upsert: false,
    });
    const parsed = create.parse({ ...jwt, online_validation: introspection }).online_validation;
    expect(parsed).toMatchObject(introspection);
    const { client_secret: _hidden, ...shown } = introspection;
    if (parsed !== undefined)
      expect(JSON.parse(JSON.stringify(fields.online_validation.maskForRead(parsed)))).toEqual(shown);
  });

  it("may use http where that is switched on", () => {
    const open = tokenIntrospectUnder({ allowHttp: true }).create;
    const body = {
      ...base,
      jwt_matcher: { issuer: "http://idp", audience: "a" },
      online_validation: { userinfo_endpoint: "http://idp/me" },
    };
    expect(faults(body, open)).toEqual([]);
    expect(faults(body)).toEqual([
      "jwt_matcher.issuer: https URL expected",
      "online_validation.userinfo_endpoint: https URL expected",
    ]);
  });

  it("is known by what a project may have once", () => {
    expect(matcherOf(create.parse(jwt)).parts).toEqual(["https://issuer.example/", "shop"]);
    expect(matcherOf(create.parse({ ...opaque, online_validation: userinfo })).parts).toEqual(["opaque"]);
  });
});

describe("one field of a token introspect", () => {
  const withKeys = (...keys: unknown[]): string[] =>
    faults({ ...jwt, offline_validation: { public_jwks: keys } });
  const rsa = (bits: number) => generateKeyPairSync("rsa", { modulusLength: bits });
  const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publicText = (pair: { publicKey: KeyObject }): string =>
    JSON.stringify({ ...pair.publicKey.export({ format: "jwk" }), use: "sig", kid: "one" });

  it("fills in defaults and keeps an empty object", () => {
    expect(JSON.parse(JSON.stringify(create.parse({ ...jwt, offline_validation: {} })))).toEqual({
      ...jwt,
      offline_validation: {},
      claims_mapping: {},
      perform_upsert: false,
    });
    expect(create.parse(jwt).offline_validation).toBeUndefined();
  });

  it("keeps the form of sub_claim", () => {
    expect(create.parse({ ...jwt, sub_claim: "email" }).sub_claim).toBe("email");
    expect(create.parse({ ...jwt, sub_claim: { selector: "email" } }).sub_claim).toEqual({
      selector: "email",
    });
    expect(faults({ ...jwt, sub_claim: "" })).toHaveLength(1);
    expect(faults({ ...jwt, sub_claim: 5 })).toHaveLength(1);
  });

  it("judges every key", () => {
    expect(withKeys(publicText(ec), publicText(rsa(2048)))).toEqual([]);
    const at = "offline_validation.public_jwks[0]";
    const symmetric = JSON.stringify({ kty: "oct", x: "y".repeat(100) });
    expect(withKeys(JSON.stringify(ec.privateKey.export({ format: "jwk" })))).toEqual([
      `${at}: private key material`,
    ]);
    expect(withKeys(publicText(rsa(1024)))).toEqual([`${at}: RSA modulus under 2048 bits`]);
    expect(withKeys("x".repeat(100))).toEqual([`${at}: not a JSON object`]);
    expect(withKeys(symmetric)).toEqual([`${at}: kty: one of RSA, EC, OKP`]);
    expect(withKeys(JSON.stringify({ kty: "__proto__", x: "y".repeat(100) }))).toEqual([
      `${at}: kty: one of RSA, EC, OKP`,
    ]);
    expect(withKeys(JSON.stringify({ kty: "EC", crv: "P-256", x: "AAAA", y: "B".repeat(90) }))).toEqual([
      `${at}: not a public key`,
    ]);
    expect(withKeys("{}")).toContain(`${at}: 96-8192 characters`);
    expect(withKeys({ kty: "EC" })).toEqual([`${at}: string expected`]);
    expect(withKeys(...Array<string>(11).fill(publicText(ec)))).toEqual([
      "offline_validation.public_jwks: at most 10 entries",
    ]);
  });

  it("judges every key of claims_mapping", () => {
    const mapping = JSON.parse(
      '{"ok_1":{"selector":"a"},"__proto__":{"selector":"a"},"external_id":{"selector":"a"},"x":{"selector":"a"},"bad-key":{"selector":"a"},"no_selector":{}}',
    );
    expect(faults({ ...jwt, claims_mapping: mapping }).sort()).toEqual([
      "claims_mapping.__proto__: key is reserved",
      "claims_mapping.bad-key: key: 2-256 letters, digits and underscores, no digit first",
      "claims_mapping.external_id: key is reserved",
      "claims_mapping.no_selector.selector: 1-200 characters",
      "claims_mapping.x: key: 2-256 letters, digits and underscores, no digit first",
    ]);
    expect(faults({ ...jwt, claims_mapping: [] })).toEqual(["claims_mapping: object expected"]);
  });

  it.each(["_Application", "P", "x".repeat(65), "A-B", 4])("refuses the node type %j", (type) =>
    expect(faults({ ...jwt, ikg_node_type: type }).length).toBeGreaterThan(0),
  );
});
