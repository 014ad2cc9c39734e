import { describe, expect, it } from "@jest/globals";
import { isLongRun } from "../../../stack/src/testing/test-environment.ts";
import type { Json } from "./ciq-under-test.ts";
import { useHospital, old, here, nurse, only } from "./hospital.ts";

useHospital();

describe("deletes", () => {
  it("remove a node with its relationships and its trust score, and answer what it was", async () => {
    await here.run(
      `MATCH (c:_Node {_key: $c}) CREATE (c)-[:_HAS]->(:_Node:_P__${here.pk}:_TrustScore__${here.pk} {_key: $t, _final_score: 0.5})`,
      { c: `${here.pk}/Chart/c1`, t: `${here.pk}/_TrustScore/x` },
    );
    const query = {
      filter: only("c1"),
      delete_nodes: ["chart"],
      nodes: ["chart.external_id", "chart.property.title", "chart.trust_score._final_score"],
    };
    expect(await here.execute(nurse(), query)).toEqual([
      {
        nodes: {
          "chart.external_id": "c1",
          "chart.property.title": "One",
          "chart.trust_score._final_score": 0.5,
        },
      },
    ]);
    expect(await here.node("Chart/c1")).toBeUndefined();
    expect(await here.node("_TrustScore/x")).toBeUndefined();
    expect(await here.node("Ward/w1")).toBeDefined();
    expect(await here.execute(nurse(), query)).toEqual([]);
  });

  it("remove a property with its reference and metadata; a second run is no error", async () => {
    const query = { filter: only("c1"), delete_nodes: ["chart.property.draft", "chart.property.scan"] };
    expect(await here.execute(nurse(), query)).toEqual([{ nodes: {} }]);
    const { fields = {} } = (await here.node("Chart/c1")) ?? {};
    expect(Object.keys(fields).filter((key) => /^(draft|scan)/.test(key))).toEqual([]);
    expect(fields).toMatchObject({ title: "One", state: "open" });
    expect(fields["update_time"]).not.toBe(old);
    expect(await here.execute(nurse(), query)).toEqual([{ nodes: {} }]);
  });

  it("never touch nodes of the platform, though the pattern may bind them", async () => {
    const policy = {
      subject: { type: "_Application" },
      condition: { cypher: "MATCH (subject:_Application), (x)" },
      allowed_upserts: { nodes: { existing_nodes: ["x"] } },
      allowed_deletes: { nodes: ["x", "x.*"] },
    };
    const before = await here.picture();
    const queries: Json[] = [
      { delete_nodes: ["x"] },
      { upsert_nodes: [{ name: "x", properties: [{ type: "a", value: 1 }] }] },
    ];
    for (const query of isLongRun() ? [...queries, { delete_nodes: ["x.*"] }] : queries) {
      const refused = await here.refusal(policy, query, { token: null });
      expect(refused.errors).toEqual(["query: nodes of type _Application can only be linked"]);
    }
    expect(await here.picture()).toBe(before);
  });

  it("never touch relationships of the platform", async () => {
    await here.run("MATCH (c:_Node {_key: $c}) MATCH (a:_Node {_key: $a}) CREATE (c)-[:_BELONGS_TO]->(a)", {
      c: `${here.pk}/Chart/c1`,
      a: `${here.pk}/Ward/w1`,
    });
    const policy = nurse(
      { cypher: "MATCH (subject:Nurse), (chart:Chart)-[r]->(w:Ward)" },
      {
        allowed_reads: undefined,
        allowed_upserts: { relationships: { existing_relationships: ["r"] } },
        allowed_deletes: { relationships: ["r"] },
      },
    );
    for (const query of [
      { delete_relationships: ["r"] },
      { upsert_relationships: [{ name: "r", properties: [{ type: "a", value: 1 }] }] },
    ]) {
      const refused = await here.refusal(policy, query);
      expect(refused.errors).toEqual(["query: relationships of type _BELONGS_TO cannot be changed"]);
    }
  });
});
