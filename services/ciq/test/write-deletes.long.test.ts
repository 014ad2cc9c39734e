import { describe, expect, it } from "@jest/globals";
import { useHospital, old, here, nurse, only } from "./hospital.ts";

useHospital();

describe("deletes", () => {
  it("remove one metadata key", async () => {
    await here.execute(nurse(), {
      filter: only("c1"),
      delete_nodes: ["chart.property.state.metadata.source"],
    });
    const { fields = {} } = (await here.node("Chart/c1")) ?? {};
    expect(fields).toMatchObject({ state: "open", "state.metadata.note": "kept" });
    expect(fields).not.toHaveProperty(["state.metadata.source"]);
  });

  it("remove all properties and keep what the platform keeps", async () => {
    const before = (await here.node("Chart/c1"))?.fields ?? {};
    await here.execute(nurse(), { filter: only("c1"), delete_nodes: ["chart.*"] });
    const { fields = {}, labels } = (await here.node("Chart/c1")) ?? {};
    const { update_time: updated, ...rest } = fields;
    const kept = ["_key", "_key_extra", "external_id", "type", "id", "is_identity", "create_time"];
    expect(rest).toEqual(Object.fromEntries(kept.map((key) => [key, before[key]])));
    expect(updated).not.toBe(old);
    expect(labels).toHaveLength(3);
  });

  it("remove a relationship, one of its properties, or all", async () => {
    await here.execute(nurse(), { filter: only("c1"), delete_relationships: ["h.note"] });
    expect((await here.edges("Ward/w1", "HOLDS", "Chart/c1"))[0]).toMatchObject({ since: 2020 });
    expect((await here.edges("Ward/w1", "HOLDS", "Chart/c1"))[0]).not.toHaveProperty("note");
    await here.execute(nurse(), { filter: only("c1"), delete_relationships: ["h.*"] });
    const [bare] = await here.edges("Ward/w1", "HOLDS", "Chart/c1");
    expect(Object.keys(bare ?? {}).toSorted()).toEqual(["_create_time", "_discriminator", "_update_time"]);
    const query = { filter: only("c1"), delete_relationships: ["h"], relationships: ["h.type"] };
    expect(await here.execute(nurse(), query)).toEqual([{ nodes: {}, relationships: { "h.type": "HOLDS" } }]);
    expect(await here.edges("Ward/w1", "HOLDS", "Chart/c1")).toEqual([]);
    expect(await here.node("Chart/c1")).toBeDefined();
  });

  it("apply to every matched row, whatever the page", async () => {
    const query = { delete_nodes: ["chart"], nodes: ["chart.external_id"] };
    expect(await here.execute(nurse(), query, { pageSize: 1 })).toEqual([
      { nodes: { "chart.external_id": "c1" } },
    ]);
    for (const id of ["c1", "c2", "c3"]) expect(await here.node(`Chart/${id}`)).toBeUndefined();
  });

  it("may delete the subject itself", async () => {
    const policy = nurse(
      { cypher: "MATCH (subject:Nurse)" },
      {
        allowed_reads: undefined,
        allowed_upserts: undefined,
        allowed_deletes: { nodes: ["subject"] },
      },
    );
    const query = { delete_nodes: ["subject"], nodes: ["subject.external_id"] };
    expect(await here.execute(policy, query)).toEqual([{ nodes: { "subject.external_id": "n1" } }]);
    expect(await here.node("Nurse/n1")).toBeUndefined();
    expect(await here.node("Nurse/n2")).toBeDefined();
    expect(await here.execute(policy, query)).toEqual([]);
  });
});
