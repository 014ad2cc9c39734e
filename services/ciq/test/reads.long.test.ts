import { describe, expect, it } from "@jest/globals";
import { useWards, here, policy } from "./read-wards.ts";
import { all, one } from "./read-paths.ts";

useWards();

describe("what a path shows", () => {
  it("the hops of a variable length as a list", async () => {
    const hops = policy(
      { relationships: ["hops"] },
      { cypher: "MATCH (subject:Nurse)-[hops:ON|HOLDS*2]->(chart:Chart {external_id: 'c1'})" },
    );
    const [row] = await here.execute(hops, { relationships: ["hops"] });
    expect(row?.relationships?.["hops"]).toMatchObject([{ Type: "ON" }, { Type: "HOLDS" }]);
  });

  it("null for an alias that an OPTIONAL MATCH did not find, nothing for its wildcards", async () => {
    const optional = policy(
      { nodes: ["x.*"], relationships: ["r"] },
      { cypher: "MATCH (subject:Nurse) OPTIONAL MATCH (subject)-[r:SIGNED]->(x:Chart)" },
    );
    const query = {
      nodes: ["x", "x.external_id", "x.property.a", "x.trust_score._origin", "x.property.*"],
      relationships: ["r", "r.a", "r.*"],
    };
    expect(await here.execute(optional, query)).toEqual([
      {
        nodes: { x: null, "x.external_id": null, "x.property.a": null, "x.trust_score._origin": null },
        relationships: { r: null, "r.a": null },
      },
    ]);
  });

  it("one row for each match, equal rows included", async () => {
    const rows = await here.execute(all, { nodes: ["subject.external_id"] });
    expect(rows).toEqual(Array.from({ length: 3 }, () => ({ nodes: { "subject.external_id": "n1" } })));
  });

  it("relationships and aggregates only where the query asks for some", async () => {
    expect(
      await here.execute(all, {
        nodes: ["w.external_id"],
        relationships: [],
        aggregate_values: [],
        filter: one,
      }),
    ).toEqual([{ nodes: { "w.external_id": "w1" } }]);
  });
});
