import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { gatewayOfTests, keysOfTests } from "../../../stack/src/testing/internal-contexts.ts";
import { internalContextHeader, openIntrospection, signInternalContext } from "@ikg/auth";
import type { Catalog, StoredIntrospect } from "@ikg/catalog";
import { newGid } from "@ikg/contracts";
import { connectGraph, type Graph } from "@ikg/graph";
import { newProjectKey, projectLabel } from "@ikg/physical";
import { consistencyTokens, graphSettings, readSettings, type Service, startService } from "@ikg/service";
import { request } from "node:http";
import { openDecide } from "../src/decisions/decide.ts";
import { openRequestResolver } from "../src/routes/question-context.ts";
import { evaluation } from "../src/routes/evaluation.ts";
import { AccessSettings } from "../src/settings.ts";
import { snapshotOf, storedPolicy } from "./policies.ts";
import { projectOf } from "./project.ts";

const issuer = "https://idp.example.com";
const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const pk = newProjectKey(randomBytes(8));
const project = projectOf(pk);

let service: Service;
let graph: Graph;
let url: string;
let closing: () => Promise<void>;

const config = (fields: Partial<StoredIntrospect>): StoredIntrospect => ({
  jwtMatcher: undefined,
  opaqueMatcher: undefined,
  offline: { publicJwks: [] },
  online: undefined,
  id: newGid("token_introspect"),
  version: 1,
  createTime: "2026-01-01T00:00:00.000Z",
  projectId: project.id,
  claimsMapping: { level: { selector: "level" } },
  subClaim: "sub",
  nodeType: "Guest",
  performUpsert: true,
  ...fields,
});

const introspects = [
  config({
    jwtMatcher: { issuer, audience: "app" },
    offline: { publicJwks: [JSON.stringify(publicKey.export({ format: "jwk" }))] },
  }),
  // No process listens there.
  config({
    opaqueMatcher: { hint: "away" },
    online: { userinfoEndpoint: "http://127.0.0.1:1024/me", introspection: undefined, cacheTtl: 0 },
  }),
];

/** Grants to the guest whose node the token itself brings. */
const policy = storedPolicy({
  cypher: "MATCH (subject:Guest), (resource:Door) WHERE subject.property.level >= 3",
  subject: "Guest",
  actions: ["ENTER"],
  resource: "Door",
});

beforeAll(async () => {
  const settings = readSettings(AccessSettings, {
    ...process.env,
    PORT: "0",
    LOG_LEVEL: "error",
    ...keysOfTests,
    CONFIG_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    EGRESS_ALLOW_HTTP: "true",
    EGRESS_ALLOW_CIDRS: "127.0.0.0/8",
  });
  service = await startService("access", settings);
  const { redis, log, metrics } = service;
  graph = connectGraph(graphSettings(settings));
  await graph.prepare();
  const introspection = openIntrospection({ service: "access", settings, graph, redis, log, metrics });
  const snapshot = { ...snapshotOf(project, [policy]), introspects };
  const catalog = { snapshot: () => Promise.resolve(snapshot) } as unknown as Catalog; // all that is asked of it
  service.mount(
    evaluation(
      openDecide(graph),
      openRequestResolver(catalog, introspection, consistencyTokens(randomBytes(32)), 20_000),
    ),
  );
  url = `http://127.0.0.1:${(await service.listen()).port}/access/v1/evaluation`;
  closing = () => introspection.close();
  await graph.shared.write(
    (tx) =>
      tx.run(
        `CREATE (:_Node:${projectLabel(pk)}:Door__${pk} {_key: $pk + '/Door/d1', external_id: 'd1', id: $pk, type: 'Door'})`,
        { pk },
      ),
    { timeoutMs: 80_000 },
  );
});

afterAll(async () => {
  await graph.shared.write((tx) => tx.run(`MATCH (n:${projectLabel(pk)}) DETACH DELETE n`, {}), {
    timeoutMs: 80_000,
  });
  await closing();
  await service.close();
  await graph.close();
});

/** A signature by hand: this test is about what is answered, not about forms of tokens. */
const tokenOf = (claims: object): string => {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const end = Math.floor(Date.now() / 1000) + 300;
  const text = `${part({ alg: "EdDSA" })}.${part({ iss: issuer, aud: "app", exp: end, ...claims })}`;
  return `${text}.${sign(null, Buffer.from(text), privateKey).toString("base64url")}`;
};

interface Answer {
  readonly status: number | undefined;
  readonly challenge: string | undefined;
  readonly retryAfter: string | undefined;
  readonly body: unknown;
}

/** Sends each value as a header of its own, which fetch would join. */
const ask = async (subject: string, ...authorization: readonly string[]): Promise<Answer> => {
  const context = await signInternalContext(gatewayOfTests.privateKey, "gateway")(
    {
      kind: "agent",
      credential_kid: "test",
      org: project.organizationId,
      project: project.id,
      application: newGid("application"),
      agent: newGid("application_agent"),
      permissions: ["Authorization"],
    },
    { service: "access", method: "POST", route: "/access/v1/evaluation" },
  );
  const body = {
    subject: { type: "Guest", id: subject },
    action: { name: "ENTER" },
    resource: { type: "Door", id: "d1" },
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST" }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const { statusCode: status, headers } = response;
        resolve({
          status,
          challenge: headers["www-authenticate"],
          retryAfter: headers["retry-after"],
          body: JSON.parse(Buffer.concat(chunks).toString()),
        });
      });
    });
    sent.on("error", reject);
    sent.setHeader("Content-Type", "application/json");
    sent.setHeader(internalContextHeader, context);
    if (authorization.length > 0) sent.setHeader("Authorization", authorization);
    sent.end(JSON.stringify(body));
  });
};

describe("what a call with a bearer is answered", () => {
  it("a decision that already sees the node of its token, and none without it", async () => {
    const before = await ask("guest-1");
    expect(before).toMatchObject({ status: 200, body: { decision: false } });
    const bearer = `Bearer ${tokenOf({ sub: "guest-1", level: 3 })}`;
    expect(await ask("guest-1", bearer)).toMatchObject({ status: 200, body: { decision: true } });
    expect(await ask("guest-1")).toMatchObject({ status: 200, body: { decision: true } });
    const other = `Bearer ${tokenOf({ sub: "guest-2", level: 2 })}`;
    expect(await ask("guest-2", other)).toMatchObject({ status: 200, body: { decision: false } });
  });

  const twice = "Authorization: sent more than once";
  const malformed = "Authorization: what follows Bearer is not a token (RFC 6750, section 2.1)";

  it.each<[string, readonly string[], string]>([
    ["two headers", ["Bearer a", "Bearer b"], twice],
    ["two headers, one of another scheme", ["Basic a", "Bearer b"], twice],
    ["two tokens", ["Bearer a b"], malformed],
    ["no token", ["Bearer"], "Authorization: no token after Bearer"],
    ["a list", ["Bearer a, Bearer b"], malformed],
  ])("400 for %s", async (_name, values, error) => {
    expect(await ask("guest-1", ...values)).toEqual({
      status: 400,
      challenge: 'Bearer error="invalid_request"',
      retryAfter: undefined,
      body: { message: "Bad Request", errors: [error] },
    });
  });

  it.each<[string, object, string]>([
    ["is forged", { sub: "guest-1", iss: "https://other.example" }, "no configuration matches"],
    ["has ended", { sub: "guest-1", exp: 1 }, "expired"],
    ["has no subject", { sub: "" }, "subject claim must be a string of 1 to 256 characters"],
  ])("401 for a token that %s", async (_name, claims, reason) => {
    expect(await ask("guest-1", `Bearer ${tokenOf(claims)}`)).toEqual({
      status: 401,
      challenge: `Bearer error="invalid_token", error_description="${reason}"`,
      retryAfter: undefined,
      body: { message: `bearer token not valid: ${reason}` },
    });
  });

  it("503 without a challenge for a token that cannot be judged", async () => {
    expect(await ask("guest-1", "bearer opaque-token")).toEqual({
      status: 503,
      challenge: undefined,
      retryAfter: "5",
      body: { message: "the token could not be checked now" },
    });
  });
});
