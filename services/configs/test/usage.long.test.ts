import { afterEach, describe, expect, it } from "@jest/globals";
import { type ConfigsUnderTest, startConfigs } from "./configs-under-test.ts";
import { type Answer, freshName, type Made, type Tenant } from "./tenant.ts";
import { ciqText, kbacText, queryText } from "./policy-texts.ts";

let configs: ConfigsUnderTest | undefined;
afterEach(async () => {
  await configs?.close();
  configs = undefined;
});

const policyOf = (project: Made, more: object = {}) => ({
  project_id: project.id,
  name: freshName(),
  status: "ACTIVE",
  policy: kbacText(),
  ...more,
});
const create = (tenant: Tenant, project: Made, more: object = {}): Promise<Answer> =>
  tenant.send("POST", "/authorization-policies", policyOf(project, more));
const refused = ({ status, body }: Answer) => [status, body.errors];

describe("records of a project", () => {
  it("are limited by kind; a removed one makes room, and another project has its own", async () => {
    configs = await startConfigs({ LIMIT_AUTHORIZATION_POLICIES: "3", LIMIT_TRUST_SCORE_PROFILES: "1" });
    const tenant = await configs.tenant();
    const [project, other] = [await tenant.project(), await tenant.project()];
    const made = [];
    for (let count = 0; count < 3; count++)
      made.push(await tenant.make("/authorization-policies", policyOf(project)));
    const errors = [
      "project_id: the project has 3 authorization policies and may have 3 (limit authorization_policies)",
    ];
    expect(refused(await create(tenant, project))).toEqual([422, errors]);
    expect((await create(tenant, other)).status).toBe(201);
    const [first] = made;
    const path = `/authorization-policies/${first?.id}`;
    const change = { policy: kbacText("WRITE"), status: "ACTIVE" };
    expect((await tenant.send("PUT", path, change)).status).toBe(200);
    expect((await tenant.send("DELETE", path)).status).toBe(200);
    expect((await create(tenant, project)).status).toBe(201);
    expect((await create(tenant, project)).status).toBe(422);
  });

  it("that come at once do not exceed the limit together", async () => {
    configs = await startConfigs({ LIMIT_AUTHORIZATION_POLICIES: "5" });
    const tenant = await configs.tenant();
    const project = await tenant.project();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => create(tenant, project, { status: "DRAFT" })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array.from({ length: 5 }, () => 201),
      ...Array.from({ length: 7 }, () => 422),
    ]);
  });

  it("are limited in all, expired credentials included, and go with what contains them", async () => {
    configs = await startConfigs({ LIMIT_RECORDS: "4" });
    const tenant = await configs.tenant();
    const project = await tenant.project();
    const application = await tenant.make("/applications", { project_id: project.id, name: freshName() });
    const agent = await tenant.make("/application-agents", {
      application_id: application.id,
      name: freshName(),
      api_permissions: ["Capture"],
    });
    const credential = { application_agent_id: agent.id };
    await tenant.make("/application-agent-credentials", credential);
    await tenant.make("/application-agent-credentials", credential);
    expect(refused(await tenant.send("POST", "/application-agent-credentials", credential))).toEqual([
      422,
      ["project_id: the project has 4 records and may have 4 (limit records)"],
    ]);
    expect((await tenant.send("DELETE", `/applications/${application.id}`)).status).toBe(200);
    for (let count = 0; count < 4; count++) expect((await create(tenant, project)).status).toBe(201);
    expect((await create(tenant, project)).status).toBe(422);
  });

  it("are limited by their bytes, also by an update, which may always shrink", async () => {
    configs = await startConfigs({ LIMIT_CONFIGURATION_BYTES: "50000" });
    const tenant = await configs.tenant();
    const project = await tenant.project();
    const draft = (length: number) => ({ status: "DRAFT", policy: "é".repeat(length / 2) });
    const made = await tenant.make("/authorization-policies", policyOf(project, draft(30_000)));
    expect(refused(await create(tenant, project, draft(30_000)))).toEqual([
      422,
      [
        expect.stringMatching(
          /^project_id: the project has 30\d{3} bytes of records and may have 50000 \(limit configuration_bytes\)$/,
        ),
      ],
    ]);
    const put = (length: number) => tenant.send("PUT", `/authorization-policies/${made.id}`, draft(length));
    expect((await put(49_000)).status).toBe(200);
    expect((await create(tenant, project, draft(2_000))).status).toBe(422);
    expect((await put(51_000)).status).toBe(422);
    expect((await put(20_000)).status).toBe(200);
    expect((await create(tenant, project, draft(28_000))).status).toBe(201);
  });

  it("are limited as the project states", async () => {
    configs = await startConfigs();
    const tenant = await configs.tenant();
    const project = await tenant.make("/projects", {
      organization_id: tenant.organization,
      name: freshName(),
      limits: { knowledge_queries: 1 },
    });
    const policy = await tenant.make("/authorization-policies", policyOf(project, { policy: ciqText() }));
    const query = () => ({
      project_id: project.id,
      name: freshName(),
      policy_id: policy.id,
      status: "ACTIVE",
      query: queryText(),
    });
    await tenant.make("/knowledge-queries", query());
    expect(refused(await tenant.send("POST", "/knowledge-queries", query()))).toEqual([
      422,
      ["project_id: the project has 1 knowledge queries and may have 1 (limit knowledge_queries)"],
    ]);
  });

  it("that an older release wrote are counted once, and a wrong count causes refusals only for a short time", async () => {
    configs = await startConfigs({ LIMIT_AUTHORIZATION_POLICIES: "2" });
    const tenant = await configs.tenant();
    const project = await tenant.project();
    const { shared } = configs.graph;
    const change = (text: string) =>
      shared.write((tx) => tx.run(text, { id: project.id }), { timeoutMs: 10_000 });
    await tenant.make("/authorization-policies", policyOf(project));
    await change("MATCH (u:_RecordUsage {key: $id}) DELETE u");
    await change("MATCH (r:_AuthorizationPolicy {project_id: $id}) REMOVE r.content_bytes");
    await tenant.make("/authorization-policies", policyOf(project));
    expect((await create(tenant, project)).status).toBe(422);
    await change("MATCH (r:_AuthorizationPolicy {project_id: $id}) DETACH DELETE r");
    expect((await create(tenant, project)).status).toBe(422);
    await change("MATCH (u:_RecordUsage {key: $id}) SET u.count_time = u.count_time - 60000");
    expect((await create(tenant, project)).status).toBe(201);
  });
});

describe("records of an organization", () => {
  it("have limits of their own: projects, service accounts and their credentials", async () => {
    configs = await startConfigs({ PROJECTS_PER_ORGANIZATION: "2", SERVICE_ACCOUNTS_PER_ORGANIZATION: "2" });
    const tenant = await configs.tenant();
    const named = () => ({ organization_id: tenant.organization, name: freshName() });
    const project = await tenant.project();
    await tenant.project();
    expect(refused(await tenant.send("POST", "/projects", named()))).toEqual([
      422,
      ["organization_id: the organization has 2 projects and may have 2 (limit PROJECTS_PER_ORGANIZATION)"],
    ]);
    await create(tenant, project);
    expect((await tenant.send("DELETE", `/projects/${project.id}`)).status).toBe(200);
    await tenant.project();
    // Beside the one that a tenant begins with.
    const account = () => ({ ...named(), role: "all_viewer" });
    await tenant.make("/service-accounts", account());
    expect(refused(await tenant.send("POST", "/service-accounts", account()))).toEqual([
      422,
      [
        expect.stringContaining(
          "2 service accounts and may have 2 (limit SERVICE_ACCOUNTS_PER_ORGANIZATION)",
        ),
      ],
    ]);
    expect((await (await configs.tenant()).project()).id).toBeDefined();
  });
});

describe("projects that come and go", () => {
  it("leave labels in the store, and end where their organization has no more of them", async () => {
    configs = await startConfigs({ ORGANIZATION_NODE_TYPES: "10" });
    const tenant = await configs.tenant();
    for (let count = 0; count < 2; count++) {
      const { id } = await tenant.project();
      expect((await tenant.send("DELETE", `/projects/${id}`)).status).toBe(200);
    }
    const body = { organization_id: tenant.organization, name: freshName() };
    expect(refused(await tenant.send("POST", "/projects", body))).toEqual([
      422,
      [
        "organization_id: the projects of the organization, deleted ones included, have 8 labels and cannot take 4 more (limit ORGANIZATION_NODE_TYPES, 10)",
      ],
    ]);
    expect((await (await configs.tenant()).project()).id).toBeDefined();
  });
});

describe("former versions of a record", () => {
  it("are kept up to a number, the latest ones", async () => {
    configs = await startConfigs({ RECORD_VERSIONS: "3" });
    const tenant = await configs.tenant();
    const project = await tenant.project();
    const made = await tenant.make("/authorization-policies", policyOf(project, { status: "DRAFT" }));
    const path = `/authorization-policies/${made.id}`;
    for (let at = 0; at < 6; at++)
      expect((await tenant.send("PUT", path, { status: "DRAFT", policy: `draft ${at}` })).status).toBe(200);
    const found = [];
    for (let version = 1; version <= 7; version++)
      found.push((await tenant.send("GET", `${path}?version=${version}`)).status);
    expect(found).toEqual([404, 404, 404, 200, 200, 200, 200]);
  });
});
