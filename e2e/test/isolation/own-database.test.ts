import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ProjectUpdate } from "@ikg/client";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { type FaultyProxy, openFaultyProxy } from "../../../stack/src/testing/servers/faulty-proxy.ts";
import { requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { createAgent } from "../../src/configuration/create-agent.ts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import { saveQuery } from "../../src/configuration/save-query.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { capture, type Graph } from "../../src/requests/capture.ts";
import { openAdmin } from "../../src/requests/clients.ts";
import { withKey } from "../../src/requests/data-plane.ts";
import { evaluate, tryEvaluate } from "../../src/requests/evaluate.ts";
import { execute, tryExecute } from "../../src/requests/execute.ts";
import { findResources } from "../../src/requests/find-resources.ts";
import { trySearchResource } from "../../src/requests/search-resource.ts";

/** Two projects with the same nodes and policies: one on a Neo4j of its own, one in the shared database. */
let own: Tenant;
let shared: Tenant;
let proxy: FaultyProxy;

const connection = () => ({
  url: `bolt://127.0.0.1:${proxy.port}`,
  username: requireVariable("SECOND_NEO4J_USERNAME"),
  password: requireVariable("SECOND_NEO4J_PASSWORD"),
});

const change = async (
  { projectId }: Tenant,
  db_connection: NonNullable<ProjectUpdate["db_connection"]>,
): Promise<unknown> => (await openAdmin().projects.update(projectId, () => ({ db_connection }))).ikg_status;
const statusOf = async ({ projectId }: Tenant): Promise<unknown> =>
  (await openAdmin().projects.get(projectId)).ikg_status;

const ref = (type: string, external_id: string) => ({ type, external_id });
const graphOf = (mark: string): Graph => ({
  nodes: [
    { ...ref("Person", "ann"), properties: [{ type: "mark", value: mark }] },
    { ...ref("Car", "car"), properties: [{ type: "mark", value: mark }] },
    { ...ref("Car", `car-${mark}`), properties: [{ type: "mark", value: mark }] },
  ],
  relationships: ["car", `car-${mark}`].map((id) => ({
    source: ref("Person", "ann"),
    target: ref("Car", id),
    type: "OWNS",
  })),
});
const kbac = {
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Person" },
  actions: ["DRIVE"],
  resource: { type: "Car" },
  condition: { cypher: "MATCH (subject:Person)-[:OWNS]->(resource:Car)" },
};
const ciq = {
  meta: { policy_version: "1.0-ciq" },
  subject: { type: "_Application" },
  condition: { cypher: "MATCH (subject:_Application) MATCH (car:Car)" },
  allowed_reads: { nodes: ["car.external_id", "car.property.mark"] },
};
const query = { nodes: ["car.external_id", "car.property.mark"] };
const driving = (id: string) => ({
  subject: { type: "Person", id: "ann" },
  action: { name: "DRIVE" },
  resource: { type: "Car", id },
});
const search = {
  subject: { type: "Person", id: "ann" },
  action: { name: "DRIVE" },
  resource: { type: "Car" },
};

beforeAll(async () => {
  const { hostname, port } = new URL(requireVariable("SECOND_NEO4J_URI"));
  proxy = await openFaultyProxy({ host: hostname, port: Number(port) });
  own = await createTenant("own", { db_connection: connection() });
  // A project of another test gives the server back in the background.
  await eventually(
    async () => {
      const status = await statusOf(own);
      if (status !== "ACTIVE") await change(own, connection());
      return status;
    },
    (status) => status === "ACTIVE",
    { withinMs: 60_000, everyMs: 1_000 },
  );
  shared = await createTenant("shared");
  for (const [tenant, mark] of [
    [own, "own"],
    [shared, "shared"],
  ] as const) {
    await capture(graphOf(mark), tenant);
    const policy = await savePolicy(tenant.projectId, { name: "cars", policy: ciq });
    await saveQuery(tenant.projectId, { name: "cars", policyId: policy, query });
    await savePolicy(tenant.projectId, { policy: kbac });
  }
}, 120_000);
afterAll(async () => {
  proxy.state = "through";
  // What is removed in the background must reach the server when the proxy is closed, or no other project could claim it.
  await change(own, { ...connection(), url: requireVariable("SECOND_NEO4J_URI") });
  await own.remove();
  await shared?.remove();
  await proxy.close();
});

const marksOf = async (tenant: Tenant): Promise<unknown[]> =>
  (await execute({ id: "cars" }, tenant)).map(({ nodes }) => nodes?.["car.property.mark"]);

describe("a project with a database of its own", () => {
  it("is exported from there", async () => {
    for (const [tenant, mark, other] of [
      [own, "own", "shared"],
      [shared, "shared", "own"],
    ] as const) {
      const reader = await createAgent(tenant.applicationId, ["ReadGraph"]);
      const { status, text } = await withKey("/capture/v1/export", reader);
      expect([status, text.includes(`car-${mark}`), text.includes(`car-${other}`)]).toEqual([
        200,
        true,
        false,
      ]);
      expect(text).toMatch(/\n\{"complete":\{"nodes":3,"relationships":2\}\}\n$/);
    }
  });

  it("is decided, searched and queried there, and nowhere else", async () => {
    expect(await evaluate(driving("car-own"), own)).toMatchObject({ decision: true });
    expect(await evaluate(driving("car-shared"), own)).toMatchObject({ decision: false });
    expect(await evaluate(driving("car-own"), shared)).toMatchObject({ decision: false });
    expect(await evaluate(driving("car-shared"), shared)).toMatchObject({ decision: true });
    const ids = async (tenant: Tenant) => (await findResources(search, tenant)).toSorted();
    expect([await ids(own), await ids(shared)]).toEqual([
      ["car", "car-own"],
      ["car", "car-shared"],
    ]);
    expect([await marksOf(own), await marksOf(shared)]).toEqual([
      ["own", "own"],
      ["shared", "shared"],
    ]);
  });

  it("answers 503 while its database is unavailable, and the other project is not affected", async () => {
    proxy.state = "reset";
    const refused = [
      await tryEvaluate(driving("car-own"), own),
      await trySearchResource(search, own),
      await tryExecute({ id: "cars" }, own),
      await withKey("/capture/v1/nodes", own, { json: { nodes: [ref("Car", "late")] } }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
    for (const { text } of refused) {
      expect(text).not.toContain("true");
      expect(text).not.toContain(String(proxy.port));
    }
    expect(await evaluate(driving("car-shared"), shared)).toMatchObject({ decision: true });
    // Configuration goes on as well.
    expect(await statusOf(own)).toBe("ACTIVE");
    proxy.state = "through";
    await eventually(
      async () => (await tryEvaluate(driving("car-own"), own)).body,
      (body) => (body as { decision?: boolean }).decision === true,
    );
  });

  it("is reached under its new address within two seconds, without a restart", async () => {
    expect(await change(own, { ...connection(), url: requireVariable("SECOND_NEO4J_URI") })).toBe("ACTIVE");
    proxy.state = "reset";
    const begun = Date.now();
    await eventually(
      async () => (await tryEvaluate(driving("car-own"), own)).status,
      (status) => status === 200,
    );
    expect(Date.now() - begun).toBeLessThan(2_000);
    expect(await evaluate(driving("car-own"), own)).toMatchObject({ decision: true });
  });

  it("answers 404 on the data plane while it has FAILED", async () => {
    proxy.state = "through";
    expect(await change(own, { ...connection(), password: "never-logged-password" })).toBe("FAILED");
    await eventually(
      async () => (await tryEvaluate(driving("car-own"), own)).status,
      (status) => status === 404,
    );
    expect(await change(own, connection())).toBe("ACTIVE");
    await eventually(
      async () => (await tryEvaluate(driving("car-own"), own)).body,
      (body) => (body as { decision?: boolean }).decision === true,
    );
  });
});
