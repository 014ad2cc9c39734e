import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { inParallel } from "../../../stack/src/measurement/in-parallel.ts";
import { type IssuerServer, startIssuerServer } from "../../../stack/src/testing/servers/issuer-server.ts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import { saveQuery } from "../../src/configuration/save-query.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { freshName } from "../../src/fresh-name.ts";
import { openAdmin } from "../../src/requests/clients.ts";
import { expectRefusal, type Refusal } from "../../src/requests/envelope.ts";
import { sendRaw } from "../../src/requests/send-raw.ts";
import { type Answer, send } from "../../src/requests/send.ts";
import { takeEffect } from "../../src/take-effect.ts";
import { testHost } from "../../src/test-host.ts";

/** Every refusal of a bearer token through the gateway, at access and at ciq, with the challenge of a step-up. */
let tenant: Tenant;
let idp: IssuerServer;

/** No process listens there. */
const unreachable = "http://127.0.0.1:1";

const question = (name: string) => ({
  subject: { type: "Person", id: "ann" },
  action: { name },
  resource: { type: "Car", id: "car" },
});
/** Wherever a bearer may be sent; also where nothing needs one. */
const endpoints: readonly (readonly [path: string, json: object])[] = [
  ["/access/v1/evaluation", question("READ")],
  ["/access/v1/search/resource", question("READ")],
  ["/ciq/v1/execute", { id: "of-a-person" }],
  ["/ciq/v1/execute", { id: "of-the-application" }],
];

const introspects: Readonly<Record<string, (issuer: string) => object>> = {
  discovered: () => ({}),
  renamed: () => ({ sub_claim: "uid" }),
  introspected: (issuer) => ({
    online_validation: {
      introspection_endpoint: `${issuer}/introspect`,
      client_id: "us",
      client_secret: "something secret",
      cache_ttl: 0,
    },
  }),
  userinfo: (issuer) => ({ online_validation: { userinfo_endpoint: `${issuer}/userinfo`, cache_ttl: 0 } }),
};

const now = (): number => Math.floor(Date.now() / 1000);
/** A good token for the configuration of that name, changed. */
const claims = (aud: string, changes: object = {}) => ({
  iss: idp.issuer,
  aud,
  sub: "ann",
  iat: now() - 10,
  exp: now() + 300,
  ...changes,
});
const token = (aud: string, changes: object = {}): Promise<string> => idp.sign(claims(aud, changes));

const ask = (path: string, json: object, bearer?: string): Promise<Answer> =>
  send(path, {
    json,
    headers: {
      "X-SVC-ClientKey": tenant.key,
      ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
    },
  });
const askAll = (bearer: string): Promise<Answer[]> =>
  inParallel(endpoints, ([path, json]) => ask(path, json, bearer));
const execute = (id: string, bearer?: string): Promise<Answer> => ask("/ciq/v1/execute", { id }, bearer);

beforeAll(async () => {
  idp = await startIssuerServer(testHost());
  tenant = await createTenant("bearer-errors");
  const { projectId } = tenant;
  const trust = (issuer: string, audience: string): Promise<unknown> =>
    openAdmin().introspects.create({
      project_id: projectId,
      name: freshName(audience),
      jwt_matcher: { issuer, audience },
      ikg_node_type: "Person",
      ...introspects[audience]?.(issuer),
    });
  for (const audience of Object.keys(introspects)) await trust(idp.issuer, audience);
  for (const audience of ["discovered", "introspected"]) await trust(unreachable, audience);

  const kbac = (version: string, action: string, more: object = {}) => ({
    meta: { policy_version: version },
    subject: { type: "Person" },
    actions: [action],
    resource: { type: "Car" },
    condition: { cypher: "MATCH (subject:Person)-[:OWNS]->(resource:Car)", ...more },
  });
  const staff = { attribute: "$token.role", operator: "=", value: "staff" };
  for (const policy of [
    kbac("2.0-kbac", "READ"),
    kbac("2.0-kbac", "ADMINISTER", { filter: [staff] }),
    kbac("3.0-kbac", "STRICT"),
  ])
    await savePolicy(projectId, { policy });

  const reads = { nodes: ["car.external_id"] };
  const fresh = {
    attribute: "$token.auth_age",
    operator: "<=",
    value: 300,
    advice: { error: "insufficient_user_authentication", error_description: "Re-authenticate" },
  };
  const gold = { attribute: "$token.acr", operator: "=", value: "gold" };
  for (const [name, type, more] of [
    ["of-a-person", "Person", {}],
    ["of-the-application", "_Application", {}],
    ["of-a-fresh-person", "Person", { token_filter: fresh }],
    ["of-a-golden-person", "Person", { token_filter: { operator: "AND", operands: [fresh, gold] } }],
  ] as const) {
    const cypher =
      type === "Person"
        ? "MATCH (subject:Person)-[:OWNS]->(car:Car)"
        : "MATCH (subject:_Application) MATCH (car:Car)";
    const meta = { policy_version: "1.0-ciq" };
    const policy = { meta, subject: { type }, condition: { cypher, ...more }, allowed_reads: reads };
    await saveQuery(projectId, { name, policyId: await savePolicy(projectId, { policy }), query: reads });
  }
  await takeEffect();
});
afterAll(async () => {
  await tenant?.remove();
  await idp?.close();
});

const refused = (reason: string): Refusal => ({
  status: 401,
  message: `bearer token not valid: ${reason}`,
  challenge: `Bearer error="invalid_token", error_description="${reason}"`,
});
const notJudged: Refusal = {
  status: 503,
  message: "the token could not be checked now",
  retryAfter: "5",
};
const stepUp = (message: string, parameters: string): Refusal => ({
  status: 401,
  message,
  challenge: `Bearer error="insufficient_user_authentication", error_description="${message}", ${parameters}`,
});

it("a token that is good opens every endpoint", async () => {
  idp.introspection = { active: true, sub: "ann" };
  for (const audience of ["discovered", "introspected"])
    for (const { status, headers } of await askAll(await token(audience)))
      expect([audience, status, headers.get("www-authenticate")]).toEqual([audience, 200, null]);
});

describe("user token needed, none sent", () => {
  it("is 401 with a plain challenge at ciq", async () => {
    const plain = { status: 401, message: "bearer token required", challenge: 'Bearer realm="ciq"' };
    for (const id of ["of-a-person", "of-a-fresh-person"]) expectRefusal(await execute(id), plain);
    expect(await execute("of-the-application")).toMatchObject({ status: 200, body: { data: [] } });
  });

  it("is a denial at access", async () => {
    for (const name of ["READ", "ADMINISTER", "STRICT"]) {
      const answer = await ask("/access/v1/evaluation", question(name));
      expect([answer.status, answer.body]).toMatchObject([200, { decision: false }]);
      expect(answer.headers.get("www-authenticate")).toBeNull();
    }
  });
});

describe("broken header, two headers", () => {
  const twice = "Authorization: sent more than once";
  const malformed = "Authorization: what follows Bearer is not a token (RFC 6750, section 2.1)";
  const broken: readonly (readonly [string, readonly string[], string])[] = [
    ["two bearers", ["Bearer a", "Bearer b"], twice],
    ["a bearer beside another scheme", ["Basic a", "Bearer b"], twice],
    ["two tokens in one", ["Bearer a b"], malformed],
    ["no token", ["Bearer"], "Authorization: no token after Bearer"],
    ["a list", ["Bearer a, Bearer b"], malformed],
  ];
  it.each(broken)("%s", async (_name, values, error) => {
    const headers = ["X-SVC-ClientKey", tenant.key, "Content-Type", "application/json"];
    for (const value of values) headers.push("Authorization", value);
    for (const [path, json] of endpoints) {
      const body = new TextEncoder().encode(JSON.stringify(json));
      expectRefusal(await sendRaw({ method: "POST", path, headers, body }), {
        status: 400,
        message: "Bad Request",
        errors: [error],
        challenge: 'Bearer error="invalid_request"',
      });
    }
  });
});

/** The header says something else, and the signature is kept. */
const withHeader = async (header: object): Promise<string> => {
  const [, payload, signature] = (await token("discovered")).split(".");
  return `${Buffer.from(JSON.stringify(header)).toString("base64url")}.${payload}.${signature}`;
};

/** In the words of the row; what the description says; and the token. */
const untrusted: readonly (readonly [condition: string, reason: string, () => Promise<string>])[] = [
  ["no config matches: opaque", "no configuration matches", () => Promise.resolve("opaque")],
  ["unknown alg: none", "algorithm not allowed", () => withHeader({ alg: "none" })],
  ["unknown alg: HS256", "algorithm not allowed", () => withHeader({ alg: "HS256" })],
  ["bad signature", "signature not valid", () => idp.sign(claims("discovered"), { forged: true })],
  ["unknown key", "unknown key", () => idp.sign(claims("discovered"), { kid: "of-nobody" })],
  ["wrong iss", "no configuration matches", () => token("discovered", { iss: `${idp.issuer}/` })],
  ["wrong aud", "no configuration matches", () => token("somebody-else")],
  ["not yet valid", "not yet valid", () => token("discovered", { nbf: now() + 3_600 })],
  ["subject claim missing", "subject claim must be a string of 1 to 256 characters", () => token("renamed")],
  [
    "subject claim empty",
    "subject claim must be a string of 1 to 256 characters",
    () => token("discovered", { sub: "" }),
  ],
  [
    "IdP says inactive",
    "not active",
    () => {
      idp.introspection = { active: false };
      return token("introspected");
    },
  ],
  ["IdP refuses userinfo", "refused by its issuer", () => token("userinfo")],
  ["expired", "expired", () => token("discovered", { exp: now() - 3_600 })],
  ["expired, at an IdP that would say active", "expired", () => token("introspected", { exp: 1 })],
];

describe.each(untrusted)("%s", (_condition, reason, made) => {
  it(`is 401, "${reason}", wherever it is sent`, async () => {
    const bearer = await made();
    for (const answer of await askAll(bearer)) {
      expectRefusal(answer, refused(reason));
      for (const part of bearer.split(".").filter((part) => part.length > 20))
        expect(answer.text).not.toContain(part);
    }
  });
});

describe("token_filter of a CIQ policy fails", () => {
  const ago = (seconds: number): number => now() - seconds;
  const plain = stepUp("Re-authenticate", 'max_age="300"');
  it.each([
    ["of-a-fresh-person", "signed in long ago", { auth_time: 301 }, plain],
    ["of-a-fresh-person", "it is unknown when", {}, plain],
    [
      "of-a-golden-person",
      "weakly and long ago",
      { auth_time: 301 },
      stepUp("Re-authenticate", 'max_age="300", acr_values="gold"'),
    ],
  ] as const)("%s, %s", async (id, _name, changes, refusal) => {
    const more = "auth_time" in changes ? { auth_time: ago(changes.auth_time) } : {};
    expectRefusal(await execute(id, await token("discovered", more)), refusal);
  });

  it("not of one who signed in a moment ago", async () => {
    for (const seconds of [120, 295]) {
      const answer = await execute(
        "of-a-fresh-person",
        await token("discovered", { auth_time: ago(seconds) }),
      );
      expect(answer).toMatchObject({ status: 200, body: { data: [] } });
    }
  });
});

describe("3.0-kbac subject differs", () => {
  it("is 403 without a challenge", async () => {
    const bearer = await token("discovered", { sub: "bob" });
    for (const path of ["/access/v1/evaluation", "/access/v1/search/resource"])
      expectRefusal(await ask(path, question("STRICT"), bearer), {
        status: 403,
        message: "bearer token subject differs from requested subject",
      });
  });
});

describe("KBAC $token filter fails", () => {
  it("is a denial without a challenge", async () => {
    const bearer = await token("discovered", { role: "guest" });
    const answer = await ask("/access/v1/evaluation", question("ADMINISTER"), bearer);
    expect([answer.status, answer.body]).toEqual([200, { decision: false }]);
    expect(answer.headers.get("www-authenticate")).toBeNull();
    const found = await ask("/access/v1/search/resource", question("ADMINISTER"), bearer);
    expect(found).toMatchObject({ status: 200, body: { results: [] } });
  });
});

describe("IdP or JWKS unreachable, circuit open", () => {
  it.each(["discovered", "introspected"])("%s: not judged, again and again", async (audience) => {
    for (let times = 0; times < 6; times++)
      for (const answer of await askAll(await token(audience, { iss: unreachable })))
        expectRefusal(answer, notJudged);
  });
});

describe("X-Request-ID comes back", () => {
  const id = "a request of bearer-errors";
  const read = question("READ");
  const key = (): Record<string, string> => ({ "X-SVC-ClientKey": tenant.key });
  const cases: readonly (readonly [number, () => Promise<Answer>])[] = [
    [200, () => send("/access/v1/evaluation", { json: read, headers: { ...key(), "X-Request-ID": id } })],
    [400, () => send("/access/v1/evaluation", { raw: "{", headers: { ...key(), "X-Request-ID": id } })],
    [401, () => send("/access/v1/evaluation", { json: read, headers: { "X-Request-ID": id } })],
    [404, () => send("/nowhere", { headers: { "X-Request-ID": id } })],
    [405, () => send("/access/v1/evaluation", { headers: { "X-Request-ID": id } })],
    [
      503,
      async () => {
        const Authorization = `Bearer ${await token("discovered", { iss: unreachable })}`;
        const headers = { ...key(), Authorization, "X-Request-ID": id };
        return send("/access/v1/evaluation", { json: read, headers });
      },
    ],
  ];
  it.each(cases)("on %i", async (status, ask) => {
    const answer = await ask();
    expect([answer.status, answer.headers.get("x-request-id")]).toEqual([status, id]);
  });
});
