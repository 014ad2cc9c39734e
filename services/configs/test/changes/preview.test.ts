import { describe, expect, it } from "@jest/globals";
import { newGid, type Role } from "@ikg/contracts";
import { type Tenant } from "../tenant.ts";
import { ciqText, kbacText } from "../policy-texts.ts";
import { everything, pk, project, tenant, useGraph, validate } from "./preview-under-test.ts";

useGraph();

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
});
