import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Gid, newGid, type Role, type Validation } from "@ikg/contracts";
import { type ConfigsUnderTest, startConfigs } from "../configs-under-test.ts";
import { type Tenant } from "../tenant.ts";
import { ciqText, kbacText, queryText } from "../policy-texts.ts";

let configs: ConfigsUnderTest;
let tenant: Tenant;
let project: Gid;
let pk: string;
let ciq: string;

const options = { timeoutMs: 60_000 };

beforeAll(async () => {
  configs = await startConfigs();
  tenant = await configs.tenant();
  project = (await tenant.project()).id;
  const policy = { project_id: project, name: "lending", status: "ACTIVE", policy: ciqText() };
  ciq = (await tenant.make("/authorization-policies", policy)).id;
  const [row] = await configs.graph.shared.read(
    "MATCH (p:_Project {id: $project}) RETURN p.pk AS pk",
    { project },
    options,
  );
  pk = String(row?.["pk"]);
  const node = (type: string, id: string) =>
    `(${id}:_Node:_P__${pk}:${type}__${pk} {_key: '${pk}/${type}/${id}', id: '${pk}${id}', type: '${type}', external_id: '${id}', is_identity: false})`;
  await configs.graph.shared.write(
    (tx) =>
      tx.run(
        `CREATE ${node("Person", "ann")}-[:OWNS]->${node("Car", "beetle")}, (ann)-[:OWNS]->${node("Car", "mini")}`,
        {},
      ),
    options,
  );
});
afterAll(() => configs.close());

const validate = async (path: string, body: object, as = tenant) => {
  const answer = await as.send("POST", `/${path}/validate`, {
    project_id: project,
    name: "tried",
    status: "ACTIVE",
    ...body,
  });
  if (answer.status !== 200) throw new Error(answer.text);
  return { ...(answer.body as unknown as Validation), text: answer.text };
};

/** Everything that the database holds of the tenant, but for what is still being delivered. */
const everything = async (): Promise<unknown> => {
  const [row] = await configs.graph.shared.read(
    [
      "CALL () { MATCH (n) WHERE NOT n:_Outbox|_AuditOutbox AND (n.organization_id = $organization OR n._key STARTS WITH $prefix)",
      "RETURN n ORDER BY elementId(n) }",
      "RETURN collect([labels(n), properties(n)]) AS all",
    ].join(" "),
    { organization: tenant.organization, prefix: `${pk}/` },
    options,
  );
  return JSON.stringify(row?.["all"], (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
};

describe("a preview", () => {
  it("is answered only when it is asked for, also to viewers", async () => {
    expect(await validate("authorization-policies", { policy: kbacText() })).not.toHaveProperty("statements");
    const { statements } = await validate(
      "authorization-policies",
      { policy: kbacText(), preview: true },
      tenant.as("all_viewer"),
    );
    expect(statements?.map(({ purpose }) => purpose)).toEqual([
      "decision",
      "subject search",
      "resource search",
    ]);
  });

  it("shows the statements with their plans, and the project's key as p", async () => {
    const { statements = [], text } = await validate("authorization-policies", {
      policy: kbacText(),
      preview: true,
    });
    expect(text).not.toContain(pk);
    const [decision] = statements;
    expect(decision?.cypher).toContain("UNWIND $rows AS __row");
    expect(decision?.cypher).toContain("(subject:Person__p&_Node {_key: __row.s})");
    expect(decision?.parameters).toEqual(["i", "s", "r", "c0"]);
    expect(decision?.plan).toMatchObject({ operator: "ProduceResults", estimated_rows: expect.any(Number) });
    expect(JSON.stringify(decision?.plan)).toContain('"index":"_Node(_key)"');
    expect(decision).not.toHaveProperty("hits");
  });

  it("names what costs more the larger a graph is", async () => {
    const policy = JSON.stringify({
      ...(JSON.parse(kbacText()) as object),
      condition: {
        cypher: "MATCH (subject:Person)-[:OWNS*]->(resource:Car), (x:Person) WHERE x.property.a = 1",
      },
    });
    const { statements = [] } = await validate("authorization-policies", { policy, preview: true });
    const codes = statements.flatMap(({ findings }) => findings.map(({ code }) => code));
    expect(codes).toEqual(expect.arrayContaining(["label-scan", "open-length"]));
  });

  it("counts rows and hits of a sample, writes nothing and shows no value", async () => {
    const before = await everything();
    const policy = JSON.stringify({
      ...(JSON.parse(kbacText()) as object),
      condition: {
        cypher: "MATCH (subject:Person)-[:OWNS]->(resource:Car) WHERE resource.property.name = $which",
      },
    });
    const sample = {
      subject: { id: "ann" },
      resource: { id: "beetle" },
      input_params: { which: "sentinel-value" },
    };
    const { statements = [], text } = await validate("authorization-policies", {
      policy,
      preview: true,
      sample,
    });
    expect(text).not.toContain("sentinel-value");
    expect(statements.map(({ purpose, rows }) => [purpose, rows])).toEqual([
      ["decision", 1],
      ["subject search", 0],
      ["resource search", 0],
    ]);
    for (const { hits } of statements) expect(hits).toBeGreaterThan(0);
    expect(statements[0]?.parameters).toContain("$which");
    const open = await validate("authorization-policies", { policy: kbacText(), preview: true, sample });
    expect(open.statements?.map(({ rows }) => rows)).toEqual([1, 1, 2]);
    expect(await everything()).toBe(before);
  });

  it("of a sample needs a role that simulates in the project: its counts answer what the graph contains", async () => {
    const body = { project_id: project, name: "tried", status: "ACTIVE", policy: kbacText(), preview: true };
    const sample = { subject: { id: "ann" } };
    const statusFor = async (as: Tenant, more: object = { sample }): Promise<number> =>
      (await as.send("POST", "/authorization-policies/validate", { ...body, ...more })).status;
    const over = (role: Role): Tenant => tenant.granted({ [role]: [project] });
    for (const role of ["owner", "editor", "policy_author"] as const)
      expect([role, await statusFor(over(role))]).toEqual([role, 200]);
    const elsewhere = tenant.granted({ viewer: [project], policy_author: [newGid("project")] });
    for (const viewer of [over("viewer"), elsewhere]) {
      expect(await statusFor(viewer)).toBe(403);
      expect(await statusFor(viewer, {})).toBe(200);
      expect(await statusFor(viewer, { sample, preview: false })).toBe(200);
    }
    expect(await statusFor(tenant.as("all_viewer"))).toBe(200);
  });

  it("of a reading query shows its read", async () => {
    const body = { policy_id: ciq, query: queryText(), preview: true };
    const { statements = [] } = await validate("knowledge-queries", {
      ...body,
      sample: { subject: { id: "ann" } },
    });
    expect(statements.map(({ purpose }) => purpose)).toEqual(["read"]);
    expect(statements[0]).toMatchObject({ rows: 1, hits: expect.any(Number) });
  });

  it("of a writing query shows each step, and runs none that writes", async () => {
    const writing = JSON.stringify({
      ...(JSON.parse(ciqText()) as object),
      allowed_upserts: { nodes: { existing_nodes: ["car"] } },
    });
    const policy = { project_id: project, name: "writing", status: "ACTIVE", policy: writing };
    const made = await tenant.make("/authorization-policies", policy);
    const query = JSON.stringify({
      nodes: ["car.external_id"],
      upsert_nodes: [{ name: "car", properties: [{ type: "price", value: "$price" }] }],
    });
    const before = await everything();
    const { statements = [] } = await validate("knowledge-queries", {
      policy_id: made.id,
      query,
      preview: true,
      sample: { subject: { id: "ann" }, input_params: { price: 7 } },
    });
    expect(statements.map(({ purpose }) => purpose)).toEqual(
      expect.arrayContaining(["match", "upsert node car", "projection"]),
    );
    for (const { purpose, plan, rows } of statements) {
      expect(plan).toBeDefined();
      expect([purpose, rows !== undefined]).toEqual([purpose, purpose === "match"]);
    }
    expect(await everything()).toBe(before);
  });

  it("is not made of what is at fault", async () => {
    const answer = await tenant.send("POST", "/authorization-policies/validate", {
      project_id: project,
      name: "tried",
      status: "ACTIVE",
      policy: "{",
      preview: "yes",
    });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual(
      expect.arrayContaining(["policy: not valid JSON", "preview: boolean expected"]),
    );
    expect(
      (await validate("authorization-policies", { policy: "a draft", status: "DRAFT", preview: true }))
        .statements,
    ).toEqual([]);
  });
});
