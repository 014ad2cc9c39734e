import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { NewProject } from "@ikg/client";
import type { CaptureResults, Import } from "@ikg/contracts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { createAgent } from "../../src/configuration/create-agent.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { environment } from "../../src/environment.ts";
import { long } from "../../src/long.ts";
import { type Credentials, withKey } from "../../src/requests/data-plane.ts";
import { must } from "../../src/requests/must.ts";
import { requireRefusal } from "../../src/requests/refusal.ts";
import { type Answer, send } from "../../src/requests/send.ts";
import { createTokenIssuer } from "../../src/tokens/token-issuer.ts";

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
const document = JSON.parse(
  readFileSync(new URL("../../../services/gateway/src/reference/openapi.json", import.meta.url), "utf8"),
) as OpenApi; // stack/src/documentation/openapi made it

const endpoints = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
);

/** The import that is cancelled: few rows of a project that writes slowly, or many. */
const [rows, limits] = long<readonly [number, Partial<NewProject>]>(
  [1_000, { limits: { import_rows_per_second: 100 } }],
  [20_000, {}],
);

let tenant: Tenant;
let reader: Credentials;
beforeAll(async () => {
  tenant = await createTenant("every-endpoint", limits);
  reader = await createAgent(tenant.applicationId, ["ReadDataSchema", "Audit", "ReadGraph"]);
});
afterAll(() => tenant?.remove());

describe("every endpoint of the OpenAPI document", () => {
  it.each(endpoints)("%s %s refuses a call without a credential", async (method, path) => {
    requireRefusal(await send(path.replaceAll(/\{\w+\}/g, "gid:AAAAAA"), { method }), 401);
  });
});

const ann = { type: "Person", external_id: "ann" };
const bob = { type: "Person", external_id: "bob" };
const knows = { source: ann, target: bob, type: "KNOWS" };

const post = (path: string, json: object): Promise<Answer> =>
  withKey(`/capture/v1/${path}`, tenant, { json });
const idsIn = (answer: Answer): string[] => must<CaptureResults>(answer, 200).results.map(({ id }) => id);

describe("captures, deletes and exports", () => {
  beforeAll(async () => {
    const properties = [
      { type: "name", value: "Ann", metadata: { source: "desk" } },
      { type: "age", value: 40 },
    ];
    must(await post("nodes", { nodes: [{ ...ann, properties }, bob] }), 200);
    must(
      await post("relationships", {
        relationships: [{ ...knows, properties: [{ type: "since", value: 2020 }] }],
      }),
      200,
    );
  });

  it("what an administrator sees of the graph: nodes, one of them and its neighbours, and none of the platform", async () => {
    const headers = { Authorization: `Bearer ${environment().service_account_token}` };
    const read = (path: string, query = "") =>
      send(`/graph/v1/nodes${path}?project_id=${encodeURIComponent(tenant.projectId)}${query}`, { headers });
    const list = async (query: string) =>
      must<{ items: readonly object[] }>(await read("", query), 200).items;
    expect(await list("&type=Person&prefix=a")).toMatchObject([ann]);
    expect(await list("&type=_Application")).toEqual([]);
    expect((await read("/Person/ann")).body).toMatchObject({
      ...ann,
      properties: expect.arrayContaining([expect.objectContaining({ type: "age", value: 40 })]),
    });
    expect((await read("/Person/ann/neighbours")).body).toMatchObject({
      items: [{ relationship: { type: "KNOWS", direction: "out" }, node: bob }],
    });
    expect((await read("/Person/nobody")).status).toBe(404);
  });

  it("properties of a node, and their metadata", async () => {
    const metadata = { ...ann, property_type: "name", metadata_fields: ["source"] };
    const [first] = idsIn(await post("nodes/properties/metadata/delete", { nodes: [metadata] }));
    const [second] = idsIn(
      await post("nodes/properties/delete", { nodes: [{ ...ann, property_types: ["age"] }] }),
    );
    expect(first).toMatch(/^gid:/);
    expect(second).toBe(first);
  });

  it("properties of a relationship", async () => {
    const [id] = idsIn(
      await post("relationships/properties/delete", {
        relationships: [{ ...knows, property_types: ["since"] }],
      }),
    );
    expect(id).not.toBe("");
  });

  it("what stood in the one node that is put anew", async () => {
    const [id = ""] = idsIn(await post("nodes", { nodes: [bob] }));
    const put = await withKey(`/capture/v1/nodes/${id}`, tenant, {
      method: "PUT",
      json: { properties: [{ type: "name", value: "Bob" }] },
    });
    expect(put.status).toBe(200);
    const schema = await withKey("/data-schema/v1", reader);
    expect([schema.status, schema.text.includes("Person")]).toEqual([200, true]);
    // An administrator names the project.
    const headers = { Authorization: `Bearer ${environment().service_account_token}` };
    const path = "/data-schema/v1";
    const named = await send(`${path}?project_id=${encodeURIComponent(tenant.projectId)}`, { headers });
    expect([named.status, named.text.includes("Person")]).toEqual([200, true]);
    requireRefusal(await send(path, { headers }), 400);
    const exported = await withKey("/capture/v1/export?types=Person", reader);
    expect([exported.status, exported.text]).toEqual([
      200,
      expect.stringContaining('{"type":"name","value":"Bob"}]}}'),
    ]);
    expect(exported.text).toMatch(/\n\{"complete":\{"nodes":2,"relationships":1\}\}\n$/);
    requireRefusal(await withKey("/capture/v1/export?types=no%20type", reader), 400);
    requireRefusal(await withKey("/capture/v1/export", tenant), 403);
  });
});

describe("an import", () => {
  const importsPath = "/capture/v1/imports";
  const lines = [
    { node: { external_id: "carl", type: "Person" } },
    { relationship: { source: { external_id: "nobody", type: "Person" }, type: "KNOWS", target: ann } },
  ];

  it("is taken, listed, written, tells what it rejected, and cannot be cancelled when it is done", async () => {
    const taken = await withKey(importsPath, tenant, {
      method: "POST",
      raw: lines.map((line) => JSON.stringify(line)).join("\n"),
      headers: { "Content-Type": "application/x-ndjson" },
    });
    const { id } = must<Import>(taken, 202);
    const listed = await withKey(importsPath, tenant);
    expect([listed.status, listed.text.includes(id)]).toEqual([200, true]);
    await eventually(
      async () => must<Import>(await withKey(`${importsPath}/${id}`, tenant), 200).status,
      (status) => status === "done",
      { withinMs: 30_000, everyMs: 100 },
    );
    const rejected = await withKey(`${importsPath}/${id}/rejected`, tenant);
    expect([rejected.status, rejected.text.includes("relationship.source")]).toEqual([200, true]);
    requireRefusal(await withKey(`${importsPath}/${id}`, tenant, { method: "DELETE" }), 409);
  });

  it("is cancelled while it runs, and stays so", async () => {
    const many = Array.from({ length: rows }, (_, n) =>
      JSON.stringify({ node: { external_id: `p${n}`, type: "Person" } }),
    );
    const taken = await withKey(importsPath, tenant, {
      method: "POST",
      raw: many.join("\n"),
      headers: { "Content-Type": "application/x-ndjson" },
    });
    const { id } = must<Import>(taken, 202);
    must(await withKey(`${importsPath}/${id}`, tenant, { method: "DELETE" }), 200);
    const { status } = must<Import>(await withKey(`${importsPath}/${id}`, tenant), 200);
    expect(status).toBe("cancelled");
  });
});

describe("a bearer token", () => {
  it("stands for a node, of which ciq tells type and id", async () => {
    const issuer = await createTokenIssuer(tenant.projectId, { ikg_node_type: "Pilot" });
    const bearer = await issuer.sign("amelia");
    const response = await withKey("/ciq/v1/whoami", { key: tenant.key, bearer });
    expect([response.status, response.body]).toEqual([200, { type: "Pilot", id: "amelia" }]);
  });
});

describe("the audit chain of a project", () => {
  it("has checkpoints, which its auditor reads", async () => {
    const { items } = must<{ items: readonly unknown[] }>(
      await withKey(`/audit/v1/checkpoints?project_id=${tenant.projectId}`, reader),
      200,
    );
    expect(Array.isArray(items)).toBe(true);
  });
});
