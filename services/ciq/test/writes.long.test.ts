import { describe, expect, it } from "@jest/globals";
import { useHospital, here, nurse, setState, state } from "./hospital.ts";

useHospital();

describe("upserts of existing nodes", () => {
  it("change the kind of a value", async () => {
    await here.execute(nurse(), setState({ type: "state", value: [1, 2.5] }));
    expect((await here.node("Chart/c1"))?.fields["state"]).toEqual([1, 2.5]);
  });

  it("let a value drop the external reference and the reverse, without a call to the resolver", async () => {
    const query = {
      ...setState({ type: "scan", value: 5 }, { type: "title", external_value: "$resolver" }),
      nodes: ["chart.property.scan"],
    };
    const rows = await here.execute(nurse(), query, { params: { resolver: "records" } });
    expect(rows).toEqual([{ nodes: { "chart.property.scan": 5 } }]);
    const { fields = {} } = (await here.node("Chart/c1")) ?? {};
    expect(fields).toMatchObject({ scan: 5, "title.external_value": "records" });
    expect(fields).not.toHaveProperty("title");
    expect(fields["scan.external_value"]).toBeUndefined();
  });

  it("write a node once that stands in several rows", async () => {
    const query = {
      upsert_nodes: [{ name: "w", properties: [{ type: "name", value: "North" }] }],
      nodes: ["w.property.name"],
    };
    expect(await here.execute(nurse(), query)).toHaveLength(3);
    expect((await here.node("Ward/w1"))?.fields["name"]).toBe("North");
  });

  it("write nothing for a row in which the alias is null", async () => {
    const condition = { cypher: "MATCH (subject:Nurse) OPTIONAL MATCH (subject)-[:SIGNED]->(chart:Chart)" };
    const policy = nurse(condition, {
      allowed_upserts: { nodes: { existing_nodes: ["chart"] } },
      allowed_deletes: { nodes: ["chart"] },
      allowed_reads: undefined,
    });
    const query = {
      upsert_nodes: [{ name: "chart", properties: [state] }],
      nodes: ["chart.property.state", "chart.external_id"],
    };
    expect(await here.execute(policy, query)).toEqual([
      { nodes: { "chart.property.state": null, "chart.external_id": null } },
    ]);
  });
});
