import { describe, expect, it } from "@jest/globals";
import { defaultLimitBounds, newGid } from "@ikg/contracts";
import { auditKeyKey, auditKeyLabel, recordLabel } from "@ikg/physical";
import { freshName, type Made } from "./tenant.ts";
import { ciqText, kbacText } from "./policy-texts.ts";
import { recordIn } from "./populate.ts";
import { refused } from "./populated.ts";
import { configs, ours, tenant, useProjectWithAgent } from "./project-with-agent.ts";

useProjectWithAgent();

const makePolicy = (more: object = {}): Promise<Made> =>
  tenant.make("/authorization-policies", {
    project_id: ours.project.id,
    name: freshName(),
    policy: kbacText(),
    status: "ACTIVE",
    ...more,
  });

describe("limits of a project", () => {
  it("are those of the operator, and never above its maximum", async () => {
    const put = (limits: object) => tenant.send("PUT", `/projects/${ours.project.id}`, { limits });
    expect(ours.project.body["effective_limits"]).toEqual(defaultLimitBounds.defaults);
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

  it("that a record states already, above a maximum or unknown, stop no other change", async () => {
    const { id } = await tenant.project();
    const limits = { records: 20_000, page_bytes: 5_000, of_a_later_release: 1 };
    await configs.graph.shared.write(
      async (tx) => {
        const [row] = await tx.run(`MATCH (r:${recordLabel} {id: $id}) RETURN r.data AS data`, { id });
        const data = JSON.stringify({ ...(JSON.parse(String(row?.["data"])) as object), limits });
        await tx.run(`MATCH (r:${recordLabel} {id: $id}) SET r.data = $data`, { id, data });
      },
      { timeoutMs: 80_000 },
    );
    const put = (body: object) => tenant.send("PUT", `/projects/${id}`, body);
    const described = await put({ description: "Described." });
    expect(described.status).toBe(200);
    expect(described.body["effective_limits"]).toMatchObject({ records: 10_000, page_bytes: 5_000 });
    expect((await put({ limits: { records: 20_000, page_bytes: 6_000 } })).status).toBe(200);
    expect(refused(await put({ limits: { records: 20_001 } }))).toEqual([
      "limits.records: at most 10000 expected; the operator's LIMIT_RECORDS_MAX raises it",
    ]);
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

describe("audit signings", () => {
  const path = "/audit-signings";
  const aws = { provider: "CUSTOMER_AWS_KMS", key_resource: "arn:one", kid: "one" };
  const secrets = { region: "eu", secret_access_key: "aws-hidden-value" };
  const masked = { region: "", secret_access_key: "" };
  const make = (fields: object): Promise<Made> =>
    tenant.make(path, { project_id: ours.project.id, name: freshName(), ...fields });
  const put = (made: Made, body: object) => tenant.send("PUT", `${path}/${made.id}`, body);

  it("show keys of auth_params and no value, in answers, lists and versions", async () => {
    const made = await make({ ...aws, auth_params: secrets });
    const second = await put(made, { ...aws, auth_params: { ...secrets, more: "aws-hidden-too" } });
    const answers = [
      made.body,
      second.body,
      (await tenant.send("GET", `${path}/${made.id}`)).body,
      (await tenant.send("GET", `${path}/${made.id}?version=1`)).body,
      (await tenant.send("GET", `${path}/${made.name}?project_id=${ours.project.id}&version=2`)).body,
    ];
    expect(answers.map((body) => body["auth_params"])).toEqual([
      masked,
      { ...masked, more: "" },
      { ...masked, more: "" },
      masked,
      { ...masked, more: "" },
    ]);
    const list = await tenant.send("GET", `${path}?project_id=${ours.project.id}`);
    expect(list.body["data"]).toContainEqual(recordIn(second.body));
    for (const text of [JSON.stringify(answers), list.text, JSON.stringify(configs.changes)])
      expect(text).not.toContain("aws-hidden");
  });

  it("refuse another key under a name that has signed, and take the same one", async () => {
    const made = await make(aws);
    const key = auditKeyKey(ours.project.id, "signed");
    const run = (text: string) =>
      configs.graph.shared.write((tx) => tx.run(text, { key }), { timeoutMs: 80_000 });
    await run(`CREATE (:${auditKeyLabel} {key: $key, key_resource: 'arn:signed'})`);
    try {
      const reused = { ...aws, kid: "signed" };
      expect(refused(await put(made, { ...reused, key_resource: "arn:other" }))).toEqual([
        "kid: has signed records with another key_resource",
      ]);
      expect((await put(made, { ...reused, key_resource: "arn:signed" })).status).toBe(200);
      // A name that never signed may mean anything.
      expect((await put(made, { ...aws, kid: "fresh", key_resource: "arn:other" })).status).toBe(200);
    } finally {
      await run(`MATCH (k:${auditKeyLabel} {key: $key}) DELETE k`);
    }
  });

  it("drop everything of the former provider", async () => {
    const made = await make({ ...aws, auth_params: secrets });
    const gcp = { provider: "CUSTOMER_GCP_KMS", key_resource: "projects/x", kid: "two" };
    const moved = await put(made, gcp);
    expect(moved.body).toMatchObject(gcp);
    expect(moved.body).not.toHaveProperty("auth_params");
    await put(made, { ...gcp, auth_params: { json: "gcp-hidden" } });
    const platform = await put(made, {
      provider: "PLATFORM_MANAGED",
      key_resource: "",
      kid: null,
      auth_params: {},
    });
    expect([platform.status, platform.body.errors]).toEqual([200, undefined]);
    for (const field of ["key_resource", "kid"]) expect(platform.body).not.toHaveProperty(field);
    expect(platform.body["auth_params"] ?? {}).toEqual({});
    expect((await put(made, { provider: "PLATFORM_MANAGED" })).body).toMatchObject({
      provider: "PLATFORM_MANAGED",
    });
    const back = await put(made, gcp);
    expect(back.body["auth_params"] ?? {}).toEqual({});
  });
});
