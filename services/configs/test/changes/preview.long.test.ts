import { describe, expect, it } from "@jest/globals";
import { ciqText, kbacText, queryText } from "../policy-texts.ts";
import { project, tenant, useGraph, validate } from "./preview-under-test.ts";

useGraph();

describe("a preview", () => {
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

  it("of a reading query shows its read", async () => {
    const policy = { project_id: project, name: "lending", status: "ACTIVE", policy: ciqText() };
    const { id } = await tenant.make("/authorization-policies", policy);
    const body = { policy_id: id, query: queryText(), preview: true };
    const { statements = [] } = await validate("knowledge-queries", {
      ...body,
      sample: { subject: { id: "ann" } },
    });
    expect(statements.map(({ purpose }) => purpose)).toEqual(["read"]);
    expect(statements[0]).toMatchObject({ rows: 1, hits: expect.any(Number) });
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
