import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { crc32 } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createAgent } from "../../src/configuration/create-agent.ts";
import { createCredential } from "../../src/configuration/create-credential.ts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import { saveQuery } from "../../src/configuration/save-query.ts";
import { freshName } from "../../src/fresh-name.ts";
import { createMcpTenant, legacyCall, type McpTenant, openSession } from "../../src/mcp/mcp.ts";
import {
  type AuditRecord,
  auditRecordSchema,
  auditRecordsWith,
  auditTypes,
  organizationRecordsWith,
} from "../../src/requests/audit-records.ts";
import { capture } from "../../src/requests/capture.ts";
import { openAdmin } from "../../src/requests/clients.ts";
import { configs, ownAccount } from "../../src/requests/configs.ts";
import { type Credentials, withKey } from "../../src/requests/data-plane.ts";
import { execute } from "../../src/requests/execute.ts";
import { must } from "../../src/requests/must.ts";
import { send } from "../../src/requests/send.ts";
import { type Process, startBeside } from "../../src/suites/start-beside.ts";
import { takeEffect } from "../../src/take-effect.ts";
import { onThisMachine, testHost } from "../../src/test-host.ts";

/**
 * A rotation needs key services: `services/audit/test/signing.long.alone.test.ts` has them behind a gateway. Another Redis is in
 * `services/audit/test/redis-replaced.long.alone.test.ts`.
 */
const elsewhere = new Set(["audit.signing.rotated", "audit.streams.replaced"]);

/** Never in a record, whatever it is of. */
const secrets = {
  header: "a-header-that-nobody-may-see",
  clientSecret: "a-client-secret-that-nobody-may-see",
  authParam: "an-auth-param-that-nobody-may-see",
};
const [ann, red] = [
  { type: "Person", external_id: "ann" },
  { type: "Car", external_id: "red" },
];

let tenant: McpTenant;
let auditor: Credentials;
let token: string;
let server: Server;
let beside: { readonly configs: Process; readonly gateway: Process };
let records: readonly AuditRecord[];
/** Everything secret that the test was given or made. */
const seen: string[] = Object.values(secrets);

const post = (path: string, json: object, by: Credentials = tenant) => withKey(path, by, { json });

const captureAndDelete = async (): Promise<void> => {
  await capture(
    {
      nodes: [{ ...ann, properties: [{ type: "email", value: "ann@x", metadata: { source: "x" } }] }],
      relationships: [{ source: ann, target: red, type: "LIKES", properties: [{ type: "much", value: 1 }] }],
    },
    tenant,
  );
  const likes = { source: ann, target: red, type: "LIKES" };
  const dangling = { source: ann, target: { type: "Car", external_id: "nowhere" }, type: "SEES" };
  const metadata = { ...ann, property_type: "email", metadata_fields: ["source"] };
  for (const [path, body] of [
    ["nodes/properties/metadata/delete", { nodes: [metadata] }],
    ["nodes/properties/delete", { nodes: [{ ...ann, property_types: ["email"] }] }],
    ["relationships", { relationships: [{ ...likes, type: "SEES" }, dangling], on_missing: "skip" }],
    ["relationships/properties/delete", { relationships: [{ ...likes, property_types: ["much"] }] }],
    ["relationships/delete", { relationships: [likes] }],
    ["nodes/delete", { nodes: [{ type: "Person", external_id: "nobody" }] }],
  ] as const)
    must(await post(`/capture/v1/${path}`, body), 200);
  const lines = [
    { node: { type: "Car", external_id: "imported" } },
    { relationship: { source: ann, target: { type: "Car", external_id: "imported" }, type: "OWNS" } },
  ];
  const raw = lines.map((line) => JSON.stringify(line)).join("\n");
  const headers = { "Content-Type": "application/x-ndjson" };
  must(await withKey("/capture/v1/imports", tenant, { raw, headers }), 202);
  const reader = await createAgent(tenant.applicationId, ["ReadGraph"]);
  expect((await withKey("/capture/v1/export?types=Car", reader)).status).toBe(200);
  await openAdmin(tenant.projectId).graph.node(ann);
};

const decide = async (): Promise<void> => {
  const [subject, resource] = [ann, red].map(({ type, external_id: id }) => ({ type, id }));
  const body = { subject, resource, action: { name: "DRIVE" }, context: { input_params: { limit: 200 } } };
  const user = { key: tenant.key, bearer: token };
  must(await post("/access/v1/evaluation", body, user), 200);
  must(await post("/access/v1/evaluation", { ...body, resource: { type: "Car", id: "blue" } }), 200);
  must(
    await post("/access/v1/evaluations", { ...body, evaluations: [{}, { action: { name: "FLY" } }] }),
    200,
  );
  must(await post("/access/v1/search/subject", { ...body, subject: { type: "Person" } }), 200);
  must(await post("/access/v1/search/resource", { ...body, resource: { type: "Car" } }), 200);
  must(await post("/access/v1/search/action", body), 200);
  const { projectId: project_id } = tenant;
  const records = [{ id: "r", project_id, type: "audit.authorization.searchaction" }];
  const headers = { Authorization: `Bearer ${ownAccount().token}` };
  must(await send("/access/v1/replays", { json: { project_id, records }, headers }), 200);
  const changes = [{ op: "delete", collection: "authorization-policies", name: "not-there" }];
  must(await send("/access/v1/simulations", { json: { project_id, changes }, headers }), 200);
  // Refused tokens, at access and at ciq.
  expect((await post("/access/v1/evaluation", body, { ...user, bearer: `${token}x` })).status).toBe(401);
  expect(
    (await post("/ciq/v1/execute", { id: tenant.queryId }, { ...user, bearer: `${token}y` })).status,
  ).toBe(401);
};

const query = async (): Promise<void> => {
  await execute({ id: tenant.queryId, input_params: { limit: 100 } }, { key: tenant.key, bearer: token });
  const address = `http://${testHost()}:${(server.address() as AddressInfo).port}`; // it listens on a port
  await openAdmin().resolvers.create({
    name: "prices",
    project_id: tenant.projectId,
    url: `${address}/{$_externalId}`,
    method: "GET",
    headers: { "X-Key": secrets.header },
    request_content_type: "JSON",
    response_content_type: "JSON",
    response_selector: ".price",
  });
  const price = { type: "price", external_value: "prices" };
  must(await post("/capture/v1/nodes", { nodes: [{ ...red, properties: [price] }] }), 200);
  const policyId = await savePolicy(tenant.projectId, {
    policy: {
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "_Application" },
      condition: { cypher: "MATCH (subject:_Application) MATCH (car:Car {external_id: $which})" },
      allowed_reads: { nodes: ["car.*"] },
      allowed_upserts: {
        nodes: { existing_nodes: ["car"], node_types: ["Note"] },
        relationships: {
          relationship_types: [{ type: "HAS", source_node_label: "Car", target_node_label: "Note" }],
        },
      },
      allowed_deletes: { nodes: ["car"] },
    },
  });
  const write = await saveQuery(tenant.projectId, {
    policyId,
    query: {
      nodes: ["car.property.price"],
      upsert_nodes: [{ name: "note", type: "Note", external_id: "$note" }],
      upsert_relationships: [{ name: "has", source: "car", target: "note", type: "HAS" }],
    },
  });
  const remove = await saveQuery(tenant.projectId, {
    policyId,
    query: { nodes: ["car.external_id"], delete_nodes: ["car"] },
  });
  await takeEffect();
  await execute({ id: write, input_params: { which: "red", note: "n1" } }, tenant);
  await execute({ id: remove, input_params: { which: "blue" } }, tenant);
};

const speak = async (): Promise<void> => {
  const session = await openSession(tenant.projectId, token);
  const params = {
    name: "authzen_evaluate",
    arguments: { resource_type: "Car", resource_id: "red", action_name: "DRIVE" },
  };
  must(await legacyCall(tenant.projectId, "tools/call", params, { token, session }), 200);
};

/** Another secret under the id of a credential, with the checksum that it would have. */
const forged = (credential: string): string => {
  const body = `${credential.slice(0, 21)}${randomBytes(32).toString("base64url")}`;
  return `${body}_${crc32(body).toString(16).padStart(8, "0")}`;
};

/** Credentials that are refused: an unknown secret, one that has expired, and one that may not. */
const beRefused = async (): Promise<void> => {
  const { agentId, key } = await createAgent(tenant.applicationId, ["Authorization"]);
  const expiring = await createCredential(agentId, new Date(Date.now() + 1_500).toISOString());
  seen.push(key, expiring.key);
  expect((await post("/capture/v1/nodes", { nodes: [ann] }, { key })).status).toBe(403);
  const [wrong, wrongToken] = [forged(key), forged(ownAccount().token)];
  seen.push(wrong, wrongToken);
  expect((await post("/access/v1/evaluation", {}, { key: wrong })).status).toBe(401);
  const headers = { Authorization: `Bearer ${wrongToken}` };
  expect((await send("/configs/v1/projects", { headers })).status).toBe(401);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect((await post("/access/v1/evaluation", {}, { key: expiring.key })).status).toBe(401);
};

const change = async (): Promise<void> => {
  const { id } = await openAdmin().introspects.create({
    name: freshName("introspect"),
    project_id: tenant.projectId,
    jwt_matcher: { issuer: "https://elsewhere.example", audience: "x" },
    online_validation: {
      introspection_endpoint: "https://elsewhere.example/introspect",
      client_id: "us",
      client_secret: secrets.clientSecret,
    },
    ikg_node_type: "Person",
  });
  const headers = { Authorization: `Bearer ${ownAccount().token}` };
  const base = `http://127.0.0.1:${beside.gateway.port}`;
  must(await send(`/configs/v1/token-introspects/${id}`, { base, headers }), 200);
  must(
    await configs(`/projects/${tenant.projectId}`, { method: "PUT", json: { description: "changed" } }),
    200,
  );
  await openAdmin().introspects.delete(id);
  must(await configs(`/export?project_id=${tenant.projectId}`), 200);
  const { agentId } = await createAgent(tenant.applicationId, ["Authorization"]);
  const { id: credential, key } = await createCredential(agentId);
  seen.push(key);
  await openAdmin().agentCredentials.delete(credential);
};

/** A signature that is not possible, and one that is again. */
const failToSign = async (): Promise<void> => {
  const { id } = await openAdmin().auditSignings.create({
    name: freshName("signing"),
    project_id: tenant.projectId,
    provider: "CUSTOMER_AZURE_KEY_VAULT",
    key_resource: "https://elsewhere.example/keys/k/0123456789abcdef0123456789abcdef",
    kid: "k1",
    auth_params: { tenant_id: "t", client_id: "c", client_secret: secrets.authParam },
  });
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await openAdmin().auditSignings.delete(id);
};

beforeAll(async () => {
  server = createServer((_request, response) => {
    response.setHeader("Content-Type", "application/json").end('{"price": 5}');
  });
  await once(server.listen(0, testHost()), "listening");
  tenant = await createMcpTenant("audit-types");
  token = await tenant.issuer.sign("ann", { acr: "gold" });
  auditor = await createAgent(tenant.applicationId, ["Audit"]);
  seen.push(tenant.key, auditor.key, token, ownAccount().token);
  const configsBeside = await startBeside("configs", { AUDIT_CONFIG_READS: "true" });
  const nobody = "http://127.0.0.1:1";
  const gateway = await startBeside("gateway", {
    UPSTREAM_CONFIGS: `http://127.0.0.1:${configsBeside.port}`,
    UPSTREAM_CAPTURE: nobody,
    UPSTREAM_ACCESS: nobody,
    UPSTREAM_CIQ: nobody,
  });
  beside = { configs: configsBeside, gateway };
  must(
    await configs("/trust-score-profiles", {
      json: {
        name: freshName("profile"),
        project_id: tenant.projectId,
        node_classification: "Person",
        dimensions: [{ name: "ORIGIN", weight: 1 }],
        schedule: "THREE_HOURS",
      },
    }),
    201,
  );
  await decide();
  await captureAndDelete();
  await query();
  await speak();
  await beRefused();
  await change();
  await failToSign();
  records = await auditRecordsWith(tenant.projectId, auditor, (all) =>
    auditTypes.filter((type) => !elsewhere.has(type) && !all.some((record) => record.type === type)),
  );
}, 240_000);
afterAll(async () => {
  await beside?.gateway.stop();
  await beside?.configs.stop();
  await tenant?.remove();
  server?.closeAllConnections();
  server?.close();
});

const of = (type: string): readonly AuditRecord[] => records.filter((record) => record.type === type);

describe("audit records of everything that happens in a project", () => {
  it("fit the published schema, each of them", () => {
    const faults = records.flatMap((record) => {
      const judged = auditRecordSchema.safeParse(record);
      return judged.success ? [] : [{ record, error: judged.error.message }];
    });
    expect(faults).toEqual([]);
    expect(auditRecordSchema.safeParse({ ...records[0], more: 1 }).success).toBe(false);
  });

  it("hold no secret", async () => {
    const organization = await organizationRecordsWith(ownAccount(), "audit.credentials.rejected");
    const text = JSON.stringify([records, organization]);
    for (const secret of seen) expect(text).not.toContain(secret);
    // Nor the secret part of a key, nor the signature of a token.
    for (const secret of seen) expect(text).not.toContain(secret.slice(-20));
  });

  it("say what a decision was made from", () => {
    // Elsewhere networks of containers translate addresses.
    const caller = onThisMachine() ? /127\.0\.0\.1|::1/ : /^\d+\.\d+\.\d+\.\d+$/;
    const [granted, denied] = of("audit.authorization.evaluation");
    expect(granted).toMatchObject({
      outcome: "success",
      actor: { type: "app_agent", id: tenant.agentId },
      on_behalf_of: { sub: "ann" },
      request: { ip: expect.stringMatching(caller) },
      data: { decision: true, input_params: { limit: 200 }, granted_by: { version: 1 } },
    });
    const { tried, granted_by } = granted?.data ?? {};
    expect(tried).toContainEqual(granted_by);
    expect(denied).toMatchObject({ outcome: "denied", data: { decision: false } });
    const [batch] = of("audit.authorization.evaluations");
    expect(batch?.data).toMatchObject({
      count: 2,
      evaluations: [{ decision: true, granted_by }, { decision: false }],
    });
  });

  it("say what was written and deleted, by captures, imports and queries", () => {
    const upserts = of("audit.capture.upsert.node");
    expect(upserts).toContainEqual(
      expect.objectContaining({ data: { count: 1, keys: [ann], properties: ["email"] } }),
    );
    expect(upserts).toContainEqual(
      expect.objectContaining({
        actor: { type: "system", id: "capture" },
        data: { count: 1, import_id: expect.any(String) },
      }),
    );
    expect(of("audit.capture.upsert.relationship").map(({ data }) => data)).toContainEqual({
      count: 1,
      skipped: 1,
      relationships: [{ type: "SEES", source: ann, target: red }],
    });
    const queries = of("audit.ciq.execute").map(({ data }) => data);
    expect(queries).toContainEqual(
      expect.objectContaining({
        upserted: [{ type: "Note", external_id: "n1" }],
        relationships: { upserted: 1, deleted: 0 },
        resolvers: ["prices"],
        rows: 1,
      }),
    );
    expect(queries).toContainEqual(
      expect.objectContaining({ deleted: [{ type: "Car", external_id: "blue" }] }),
    );
  });

  it("tell of credentials and tokens that were refused", () => {
    const reasons = of("audit.credentials.rejected").map(({ status, data }) => [status, data["reason"]]);
    expect(reasons).toContainEqual([403, "permission missing: Capture"]);
    expect(reasons).toContainEqual([401, "wrong secret"]);
    expect(reasons).toContainEqual([401, "expired"]);
    const looks = of("audit.credentials.token.introspected").map(({ data }) => data);
    expect(looks).toContainEqual(
      expect.objectContaining({ result: "active", config_id: tenant.issuer.introspectId, cached: true }),
    );
    const refused = of("audit.credentials.token.introspected").filter(({ outcome }) => outcome === "denied");
    expect(refused.map(({ status }) => status)).toEqual([401, 401]);
  });

  it("tell of calls of tools and of runs of the scorer", () => {
    expect(of("audit.mcp.call")).toContainEqual(
      expect.objectContaining({
        on_behalf_of: expect.objectContaining({ sub: "ann" }),
        data: { method: "tools/call", tool: "authzen_evaluate", outcome: "success" },
      }),
    );
    expect(of("audit.trustscore.run")[0]).toMatchObject({
      actor: { type: "system", id: "trust-scorer" },
      outcome: "success",
    });
  });
});
