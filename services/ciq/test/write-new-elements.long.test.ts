import { describe, expect, it } from "@jest/globals";
import type { Json } from "./ciq-under-test.ts";
import { useHospital, old, here, newNote, nurse, only } from "./hospital.ts";

useHospital();

describe("upserts of new nodes and relationships", () => {
  it("update a node that exists, without removing labels or identity", async () => {
    const labels = ["Red", "Identity"];
    await here.execute(nurse(), { upsert_nodes: [{ ...newNote, labels }] }, { params: { id: "x" } });
    const before = await here.node("Note/x");
    await here.execute(nurse(), { upsert_nodes: [newNote] }, { params: { id: "x" } });
    const after = await here.node("Note/x");
    expect(after?.labels).toEqual(before?.labels);
    expect(after?.fields["is_identity"]).toBe(true);
    expect(after?.fields["id"]).toBe(before?.fields["id"]);
    expect(after?.fields["create_time"]).toBe(before?.fields["create_time"]);
  });

  it("overwrite listed properties of any node of an allowed type", async () => {
    const chart = {
      name: "c",
      type: "Chart",
      external_id: "c2",
      properties: [{ type: "title", value: "New" }],
    };
    await here.execute(nurse(), { upsert_nodes: [chart], filter: only("c1") });
    expect((await here.node("Chart/c2"))?.fields).toMatchObject({ title: "New", draft: "d2" });
  });

  it("create from a condition that binds only the subject", async () => {
    const policy = nurse(
      { cypher: "MATCH (subject:Nurse)" },
      {
        allowed_reads: undefined,
        allowed_deletes: undefined,
        allowed_upserts: { nodes: { node_types: ["Note"] } },
      },
    );
    const query = { upsert_nodes: [newNote], nodes: ["note.external_id", "note.type", "note.property.text"] };
    expect(await here.execute(policy, query, { params: { id: "x" } })).toEqual([
      { nodes: { "note.external_id": "x", "note.type": "Note", "note.property.text": "t" } },
    ]);
  });

  it("reuse a relationship of the same ends, and overwrite its properties", async () => {
    const signed = (shift: string, more: Json[] = []): Json => ({
      filter: only("c1"),
      upsert_relationships: [
        {
          name: "s",
          source: "subject",
          target: "chart",
          type: "SIGNED",
          properties: [{ type: "shift", value: shift }, ...more],
        },
      ],
    });
    await here.execute(nurse(), signed("night", [{ type: "room", value: 4 }]));
    await here.execute(nurse(), signed("day"));
    const [edge, ...more] = await here.edges("Nurse/n1", "SIGNED", "Chart/c1");
    expect(more).toEqual([]);
    const { _create_time: created, _update_time: updated } = edge ?? {};
    expect(edge).toEqual({
      shift: "day",
      room: 4,
      _discriminator: "",
      _create_time: created,
      _update_time: updated,
    });
    expect(String(created) < String(updated)).toBe(true);
  });

  it("skip a relationship in the rows whose end is null, and make the others", async () => {
    await here.run("MATCH (a:_Node {_key: $a}) MATCH (b:_Node {_key: $b}) CREATE (a)-[:READ]->(b)", {
      a: `${here.pk}/Nurse/n1`,
      b: `${here.pk}/Chart/c2`,
    });
    const condition = {
      cypher:
        "MATCH (subject:Nurse)-[:ON]->(w:Ward)-[h:HOLDS]->(c:Chart) OPTIONAL MATCH (c)<-[:READ]-(reader:Nurse)",
    };
    const policy = nurse(condition, {
      allowed_reads: { nodes: ["c"] },
      allowed_deletes: undefined,
      allowed_upserts: {
        relationships: {
          relationship_types: [{ type: "SIGNED", source_node_label: "Nurse", target_node_label: "Chart" }],
        },
      },
    });
    const query = {
      upsert_relationships: [{ name: "s", source: "reader", target: "c", type: "SIGNED" }],
      nodes: ["c.external_id", "reader.external_id"],
      relationships: ["s.type"],
    };
    expect(await here.execute(policy, query)).toEqual([
      { nodes: { "c.external_id": "c1", "reader.external_id": null }, relationships: { "s.type": null } },
      { nodes: { "c.external_id": "c2", "reader.external_id": "n1" }, relationships: { "s.type": "SIGNED" } },
      { nodes: { "c.external_id": "c3", "reader.external_id": null }, relationships: { "s.type": null } },
    ]);
    expect(await here.edges("Nurse/n1", "SIGNED", "Chart/c2")).toHaveLength(1);
  });

  it("set properties of an existing relationship, and show it (write echo)", async () => {
    const query = {
      filter: only("c1"),
      upsert_relationships: [{ name: "h", properties: [{ type: "verified", value: true }] }],
      relationships: ["h", "h.verified"],
    };
    const policy = nurse({}, { allowed_reads: { nodes: ["chart.external_id"] } });
    const [row] = await here.execute(policy, query);
    expect(row?.relationships).toMatchObject({
      "h.verified": true,
      h: { Type: "HOLDS", Props: { since: 2020, note: "n", verified: true, create_time: old } },
    });
    const [edge] = await here.edges("Ward/w1", "HOLDS", "Chart/c1");
    expect(edge).toMatchObject({ verified: true, since: 2020, _create_time: old });
    expect(edge?.["_update_time"]).not.toBe(old);
  });

  it("create nothing when nothing matches", async () => {
    const before = await here.picture();
    expect(
      await here.execute(nurse(), { upsert_nodes: [newNote], filter: only("c9") }, { params: { id: "x" } }),
    ).toEqual([]);
    expect(await here.picture()).toBe(before);
  });

  it("refuse to move a relationship onto a parallel one", async () => {
    await here.run(
      `MATCH (:_Node {_key: $w})-[h:HOLDS]->(:_Node {_key: $c}) SET h.discriminating_property = 'since', h._discriminator = '2020'`,
      { w: `${here.pk}/Ward/w1`, c: `${here.pk}/Chart/c1` },
    );
    const set = (since: number): Json => ({
      filter: only("c1"),
      upsert_relationships: [{ name: "h", properties: [{ type: "since", value: since }] }],
    });
    const refused = await here.refusal(nurse(), set(2021));
    expect(refused.errors).toEqual([
      "query.upsert_relationships: the property that distinguishes parallel relationships cannot be changed",
    ]);
    expect((await here.edges("Ward/w1", "HOLDS", "Chart/c1"))[0]?.["since"]).toBe(2020);
    expect(await here.execute(nurse(), set(2020))).toEqual([{ nodes: {} }]);
  });
});
