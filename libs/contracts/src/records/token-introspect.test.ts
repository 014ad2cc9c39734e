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
    ["opaque tokens and nobody to ask", { ...opaque, online_validation: { cache_ttl: 5 } }, [needsEndpoint]],
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

  it("is told all at once, beside faults of single fields", () => {
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
      expect(JSON.parse(JSON.stringify(fields.online_validation.shown(parsed)))).toEqual(shown);
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
