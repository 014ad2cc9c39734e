import { beforeAll, describe, expect, it } from "@jest/globals";
import { newGid, type Role } from "@ikg/contracts";
import { isLongRun } from "../../../../stack/src/testing/test-environment.ts";
import type { Made, Tenant } from "../tenant.ts";
import { ciqText, kbacText } from "../policy-texts.ts";
import { everything, pk, project, tenant, useGraph, validate } from "./preview-under-test.ts";

useGraph();

/** Its statements are planned once for all tests: the plans of previews are most of what they take. */
const policy = JSON.stringify({
  ...(JSON.parse(kbacText()) as object),
  condition: {
    cypher: "MATCH (subject:Person)-[:OWNS]->(resource:Car) WHERE resource.property.colour = $colour",
  },
});
const sampleOf = (colour: string) => ({
  subject: { id: "ann" },
  resource: { id: "beetle" },
  input_params: { colour },
});

describe("a preview", () => {
  let before: unknown;
  let writing: Made;

  beforeAll(async () => {
    writing = await tenant.make("/authorization-policies", {
      project_id: project,
      name: "writing",
      status: "ACTIVE",
      policy: JSON.stringify({
        ...(JSON.parse(ciqText()) as object),
        allowed_upserts: { nodes: { existing_nodes: ["car"] } },
      }),
    });
    before = await everything();
  });

  it("is answered only when it is asked for", async () => {
    expect(await validate("authorization-policies", { policy })).not.toHaveProperty("statements");
  });

  it("shows the statements with their plans, also to viewers, and the project's key as p", async () => {
    const { statements = [], text } = await validate(
      "authorization-policies",
      { policy, preview: true },
      tenant.as("all_viewer"),
    );
    expect(statements.map(({ purpose }) => purpose)).toEqual([
      "decision",
      "subject search",
      "resource search",
    ]);
    expect(text).not.toContain(pk);
    const [decision] = statements;
    expect(decision?.cypher).toContain("UNWIND $rows AS __row");
    expect(decision?.cypher).toContain("(subject:Person__p&_Node {_key: __row.s})");
    expect(decision?.parameters).toEqual(["i", "s", "r", "c0", "$colour"]);
    expect(decision?.plan).toMatchObject({ operator: "ProduceResults", estimated_rows: expect.any(Number) });
    expect(JSON.stringify(decision?.plan)).toContain('"index":"_Node(_key)"');
    expect(decision).not.toHaveProperty("hits");
  });

  it("counts rows and hits of a sample, and shows no value", async () => {
    const counted = async (colour: string) => {
      const { statements = [], text } = await validate("authorization-policies", {
        policy,
        preview: true,
        sample: sampleOf(colour),
      });
      expect(text).not.toContain(colour);
      for (const { hits } of statements) expect(hits).toBeGreaterThan(0);
      return statements.map(({ purpose, rows }) => [purpose, rows]);
    };
    expect(await counted("sentinel-value")).toEqual([
      ["decision", 1],
      ["subject search", 0],
      ["resource search", 0],
    ]);
    expect(await counted("mauve")).toEqual([
      ["decision", 1],
      ["subject search", 1],
      ["resource search", 2],
    ]);
  });

  it("of a writing query shows each step, and runs none that writes", async () => {
    const query = JSON.stringify({
      nodes: ["car.external_id"],
      upsert_nodes: [{ name: "car", properties: [{ type: "price", value: "$price" }] }],
    });
    const { statements = [] } = await validate("knowledge-queries", {
      policy_id: writing.id,
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
  });

  it("of a sample needs a role that simulates in the project: its counts answer what the graph contains", async () => {
    const body = { project_id: project, name: "tried", status: "ACTIVE", policy, preview: true };
    const sample = sampleOf("mauve");
    const statusFor = async (as: Tenant, more: object = { sample }): Promise<number> =>
      (await as.send("POST", "/authorization-policies/validate", { ...body, ...more })).status;
    const over = (role: Role): Tenant => tenant.granted({ [role]: [project] });
    const allowed: readonly Role[] = isLongRun() ? ["owner", "editor", "policy_author"] : ["policy_author"];
    for (const role of allowed) expect([role, await statusFor(over(role))]).toEqual([role, 200]);
    const elsewhere = tenant.granted({ viewer: [project], policy_author: [newGid("project")] });
    for (const viewer of [over("viewer"), elsewhere]) {
      expect(await statusFor(viewer)).toBe(403);
      expect(await statusFor(viewer, {})).toBe(200);
      expect(await statusFor(viewer, { sample, preview: false })).toBe(200);
    }
    expect(await statusFor(tenant.as("all_viewer"))).toBe(200);
  });

  it("writes nothing, whatever it shows", async () => {
    expect(await everything()).toBe(before);
  });
});
