import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { defaultLimitBounds, newGid } from "@ikg/contracts";
import { type ConfigsUnderTest, startConfigs } from "./configs-under-test.ts";
import { freshName, type Made, type Tenant } from "./tenant.ts";
import { ciqText, kbacText } from "./policy-texts.ts";
import { createAgent, type ProjectWithAgent, recordIn } from "./populate.ts";
import { refused } from "./populated.ts";

let configs: ConfigsUnderTest;
let tenant: Tenant;
let ours: ProjectWithAgent;

beforeAll(async () => {
  configs = await startConfigs();
  tenant = await configs.tenant();
  ours = await createAgent(tenant);
});
afterAll(() => configs.close());

const makePolicy = (more: object = {}): Promise<Made> =>
  tenant.make("/authorization-policies", {
    project_id: ours.project.id,
    name: freshName(),
    policy: kbacText(),
    status: "ACTIVE",
    ...more,
  });

describe("service accounts", () => {
  it("have credentials that show their token once", async () => {
    const account = await tenant.make("/service-accounts", {
      organization_id: tenant.organization,
      name: freshName(),
      role: "all_editor",
    });
    const path = "/service-account-credentials";
    const made = await tenant.make(path, { service_account_id: account.id });
    const { token, ...rest } = made.body["service_account_config"] as Record<string, string>;
    expect(rest).toEqual({ baseUrl: "https://ikg.example", serviceAccountId: account.id });
    expect(token).toMatch(/^sa1_[0-9a-z]{16}_[\w-]{43}_[0-9a-f]{8}$/);
    expect(made.body["display_name"]).toBe(made.body["kid"]);
    const seen = [
      (await tenant.send("GET", `${path}/${made.id}`)).text,
      (await tenant.send("GET", `${path}?organization_id=${tenant.organization}`)).text,
    ].join();
    expect(seen).toContain(made.body["kid"]);
    expect(seen).not.toContain(token);
    expect(seen).not.toContain("service_account_config");
    expect((await tenant.send("DELETE", `/service-accounts/${account.id}`)).status).toBe(200);
    expect((await tenant.send("GET", `${path}/${made.id}`)).status).toBe(404);
    expect((await configs.changesOf(made.id, 2)).map((change) => change["action"])).toEqual([
      "created",
      "deleted",
    ]);
  });
});

describe("projects", () => {
  it("keep what they are for, whatever an update says", async () => {
    const made = await tenant.make("/projects", {
      organization_id: tenant.organization,
      name: freshName(),
      purpose: "TEST",
    });
    expect(made.body["purpose"]).toBe("TEST");
    const changed = await tenant.send("PUT", `/projects/${made.id}`, { display_name: "Later", purpose: "x" });
    expect([changed.status, changed.body["purpose"]]).toEqual([200, "TEST"]);
    expect((await tenant.project()).body).not.toHaveProperty("purpose");
  });

  it("show in every version the state that their graph has now", async () => {
    const project = await tenant.project();
    const update = { display_name: "Later", region: "us-east1", ikg_size: "4GB" };
    const later = await tenant.send("PUT", `/projects/${project.id}`, update);
    const { region, ikg_size, ikg_status } = project.body;
    expect(ikg_status).toBe("ACTIVE");
    expect(later.body).toMatchObject({ display_name: "Later", region, ikg_size, ikg_status });
    const set = (value: string) =>
      configs.graph.shared.write(
        (tx) => tx.run("MATCH (p:_Record {id: $id}) SET p.ikg_status = $value", { id: project.id, value }),
        { timeoutMs: 80_000 },
      );
    await set("FAILED");
    for (const version of [1, 2]) {
      const read = await tenant.send("GET", `/projects/${project.id}?version=${version}`);
      expect([version, read.body["ikg_status"]]).toEqual([version, "FAILED"]);
    }
  });
});

describe("limits of a project", () => {
  it("are kept, replaced and removed, and never above the operator's maximum", async () => {
    const project = await tenant.project();
    const put = (limits: object) => tenant.send("PUT", `/projects/${project.id}`, { limits });
    expect(project.body["limits"]).toBeUndefined();
    expect(project.body["effective_limits"]).toEqual(defaultLimitBounds.defaults);
    expect((await put({ page_bytes: 1_000_000, node_types: 12 })).body["limits"]).toEqual({
      page_bytes: 1_000_000,
      node_types: 12,
    });
    expect((await tenant.send("PUT", `/projects/${project.id}`, {})).body["limits"]).toMatchObject({
      node_types: 12,
    });
    const refused = await put({ page_bytes: 8_000_001, property_names: 0, nodes: 3 });
    expect(refused.status).toBe(422);
    expect(refused.body["errors"]).toEqual(
      expect.arrayContaining([
        expect.stringContaining("limits.property_names: at least 1 expected"),
        expect.stringContaining("limits: unknown limit: nodes"),
      ]),
    );
    const above = await put({ page_bytes: 8_000_001 });
    expect([above.status, above.body["errors"]]).toEqual([
      422,
      ["limits.page_bytes: at most 8000000 expected; the operator's LIMIT_PAGE_BYTES_MAX raises it"],
    ]);
    const narrow = await put({ page_bytes: 5_000, requests_per_second: 7 });
    expect(narrow.body["effective_limits"]).toEqual({
      ...defaultLimitBounds.defaults,
      page_bytes: 5_000,
      requests_per_second: 7,
    });
    expect((await put({})).body["limits"]).toEqual({});
  });
});

describe("application agents", () => {
  it("keep permissions unless they are given, and never lose the last", async () => {
    const put = (body: object) => tenant.send("PUT", `/application-agents/${ours.agent.id}`, body);
    expect((await put({})).body["api_permissions"]).toEqual(["Capture", "ContXIQ"]);
    const given = ["IKGRead", "Capture", "IKGRead"];
    expect((await put({ api_permissions: given })).body["api_permissions"]).toEqual(["IKGRead", "Capture"]);
    expect(refused(await put({ api_permissions: [] }))).toEqual(["api_permissions: at least one entry"]);
    expect(refused(await put({ api_permissions: ["Root"] }))).toHaveLength(1);
  });
});

describe("policies and queries", () => {
  it("answer warnings when they are written, and not when they are read", async () => {
    const made = await makePolicy();
    expect(made.body["warnings"]).toEqual(expect.any(Array));
    const put = await tenant.send("PUT", `/authorization-policies/${made.id}`, {
      policy: kbacText("WRITE"),
      status: "ACTIVE",
    });
    expect(put.body["warnings"]).toEqual(expect.any(Array));
    expect((await tenant.send("GET", `/authorization-policies/${made.id}`)).body).toEqual(recordIn(put.body));
  });

  it("keep tags unless they are given, and clear them for []", async () => {
    const made = await makePolicy({ tags: ["a", "b"] });
    const put = async (more: object) => {
      const body = { policy: kbacText(), status: "DRAFT", ...more };
      return (await tenant.send("PUT", `/authorization-policies/${made.id}`, body)).body["tags"];
    };
    expect([await put({}), await put({ tags: null }), await put({ tags: [] }), await put({})]).toEqual([
      ["a", "b"],
      ["a", "b"],
      [],
      [],
    ]);
  });

  it("is no obstacle to a record of that name", async () => {
    const made = await makePolicy({ name: "validate" });
    const read = await tenant.send("GET", `/authorization-policies/validate?project_id=${ours.project.id}`);
    expect([read.status, read.body["id"]]).toEqual([200, made.id]);
    await tenant.send("DELETE", `/authorization-policies/${made.id}`);
  });

  it("are judged without being stored", async () => {
    const count = async () => {
      const list = await tenant.send("GET", `/authorization-policies?project_id=${ours.project.id}`);
      return (list.body["data"] as unknown[]).length;
    };
    const ciq = await makePolicy({ policy: ciqText() });
    const before = await count();
    const policy = { project_id: ours.project.id, name: freshName(), policy: kbacText(), status: "ACTIVE" };
    const path = "/authorization-policies/validate";
    const fine = await tenant.send("POST", path, policy);
    expect([fine.status, fine.body]).toEqual([200, { warnings: expect.any(Array) }]);
    expect(refused(await tenant.send("POST", path, { ...policy, policy: "{}" }))).not.toEqual([]);
    expect((await tenant.send("POST", path, { ...policy, project_id: newGid("project") })).status).toBe(404);
    const query = {
      project_id: ours.project.id,
      name: freshName(),
      policy_id: ciq.id,
      query: '{"nodes":["car.property.none"]}',
      status: "ACTIVE",
    };
    expect(refused(await tenant.send("POST", "/knowledge-queries/validate", query))).not.toEqual([]);
    expect(await count()).toBe(before);
    expect((await tenant.send("PUT", path, policy)).status).toBe(404);
    expect((await tenant.send("PATCH", path, policy)).status).toBe(405);
  });
});

describe("CONFIG_REQUIRE_IF_MATCH", () => {
  it("refuses a PUT or DELETE that names no state", async () => {
    const strict = await startConfigs({ CONFIG_REQUIRE_IF_MATCH: "true" });
    try {
      const own = await strict.tenant();
      const project = await own.project();
      const { id, etag } = await own.make("/applications", { project_id: project.id, name: freshName() });
      const url = `/applications/${id}`;
      const body = { display_name: "Later" };
      const expected = {
        status: 428,
        body: { message: "Precondition Required", errors: ["If-Match: required"] },
      };
      expect(await own.send("PUT", url, body)).toMatchObject(expected);
      const done = await own.send("PUT", url, body, { "if-match": etag });
      expect(done.status).toBe(200);
      expect(await own.send("DELETE", url)).toMatchObject(expected);
      expect((await own.send("GET", url)).status).toBe(200);
      const current = { "if-match": done.headers.get("etag") ?? "" };
      expect((await own.send("DELETE", url, undefined, current)).status).toBe(200);
    } finally {
      await strict.close();
    }
  });
});
