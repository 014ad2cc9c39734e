import { describe, expect, it } from "@jest/globals";
import type { Json } from "./ciq-under-test.ts";
import { useHospital, here, newNote, nurse, only } from "./hospital.ts";

useHospital();

/** What tells a whole relationship of a row from any other. */
const elementId = (row: { readonly relationships?: Json | undefined }, name: string): unknown =>
  (row.relationships?.[name] as Json | undefined)?.["ElementId"];

describe("upserts of new nodes and relationships", () => {
  it("store a node exactly as capture does", async () => {
    const labels = ["Red", "DigitalTwin", "Identity"];
    await here.execute(nurse(), { upsert_nodes: [{ ...newNote, labels }] }, { params: { id: "x" } });
    const { labels: stored, fields = {} } = (await here.node("Note/x")) ?? {};
    expect(stored).toEqual(["_Node", `_P__${here.pk}`, `Note__${here.pk}`, `Red__${here.pk}`].toSorted());
    const { id, create_time: created, update_time: updated } = fields;
    expect(id).toMatch(/^gid:/);
    expect(fields).toEqual({
      _key: `${here.pk}/Note/x`,
      external_id: "x",
      type: "Note",
      id,
      is_identity: true,
      create_time: created,
      update_time: updated,
      text: "t",
      "text.update_time": updated,
    });
    expect(created).toBe(updated);
  });

  it("make one node for three rows, and its relationship for each", async () => {
    const query = {
      upsert_nodes: [newNote],
      upsert_relationships: [{ name: "ab", source: "note", target: "chart", type: "ABOUT" }],
      nodes: ["note", "note.property.text", "chart.external_id"],
      relationships: ["ab", "ab.type"],
    };
    const rows = await here.execute(nurse(), query, { params: { id: "x" } });
    expect(rows.map(({ nodes }) => nodes["chart.external_id"])).toEqual(["c1", "c2", "c3"]);
    const first = rows[0]?.nodes["note"];
    expect(first).toMatchObject({ Labels: ["Note"], Props: { external_id: "x", type: "Note" } });
    expect(rows.every(({ nodes }) => JSON.stringify(nodes["note"]) === JSON.stringify(first))).toBe(true);
    expect(rows.map((row) => row.relationships?.["ab.type"])).toEqual(["ABOUT", "ABOUT", "ABOUT"]);
    expect(new Set(rows.map((row) => elementId(row, "ab"))).size).toBe(3);
    const picture = await here.picture();
    // The second run is identical.
    const again = await here.execute(nurse(), query, { params: { id: "x" } });
    expect(again.map((row) => elementId(row, "ab"))).toEqual(rows.map((row) => elementId(row, "ab")));
    expect(await here.picture()).toBe(picture);
  });

  it("keep parallel relationships apart by the discriminating property", async () => {
    const signed: Json = {
      filter: only("c1"),
      upsert_relationships: [
        {
          name: "s",
          source: "subject",
          target: "chart",
          type: "SIGNED",
          properties: [
            { type: "discriminating_property", value: "day" },
            { type: "day", value: "$day" },
          ],
        },
      ],
      relationships: ["s.day"],
    };
    for (const day of ["mon", "tue", "mon", 5, "5"]) {
      expect(await here.execute(nurse(), signed, { params: { day } })).toEqual([
        { nodes: {}, relationships: { "s.day": day } },
      ]);
    }
    const edges = await here.edges("Nurse/n1", "SIGNED", "Chart/c1");
    expect(edges.map((edge) => edge["_discriminator"])).toEqual(['"5"', '"mon"', '"tue"', "5"]);
  });
});
