import { describe, expect, it } from "@jest/globals";
import { faults, value, chart, note, signed, type Json } from "../../test/writing-queries.ts";

describe("write echo", () => {
  const reading = (writes: Json, nodes: readonly string[], relationships: readonly string[] = []) =>
    faults({ ...writes, nodes, relationships }, { allowed_reads: undefined });
  const refusedOf = (paths: readonly string[], list = "nodes"): readonly string[] =>
    paths.map((path, index) => `query.${list}[${index}]: ${path} is not in allowed_reads.${list}`);
  const noted = { upsert_nodes: [note({ properties: [{ ...value, metadata: [{ type: "k", value: 1 }] }] })] };

  it("a new node: itself, system fields, and what the query set", () => {
    const own = [
      "note",
      "note.external_id",
      "note.id",
      "note.create_time",
      "note.property.state",
      "note.property.state.value",
      "note.property.state.metadata.k",
    ];
    expect(reading(noted, own)).toEqual([]);
    const other = [
      "note.property.other",
      "note.property.state.metadata.j",
      "note.*",
      "note.property.*",
      "note.property.state.*",
      "note.trust_score._origin",
    ];
    expect(reading(noted, other)).toEqual(refusedOf(other));
  });

  it("a property of an existing alias: the value, written metadata, the external id", () => {
    const writes = chart({ ...value, metadata: [{ type: "k", value: 1 }] });
    expect(
      reading(writes, ["chart.property.state", "chart.property.state.metadata.k", "chart.external_id"]),
    ).toEqual([]);
    const other = [
      "chart",
      "chart.type",
      "chart.property.other",
      "chart.property.state.metadata.j",
      "chart.*",
    ];
    expect(reading(writes, other)).toEqual(refusedOf(other));
  });

  it("a new relationship with its properties, and the external ids of its ends", () => {
    const writes = { upsert_relationships: [signed()] };
    expect(reading(writes, ["subject.external_id", "chart.external_id"], ["s", "s.*", "s.anything"])).toEqual(
      [],
    );
    expect(reading(writes, ["subject", "chart.id"])).toEqual(refusedOf(["subject", "chart.id"]));
    expect(reading(writes, [], ["h"])).toEqual(refusedOf(["h"], "relationships"));
  });

  it("an updated relationship with its properties", () => {
    const writes = { upsert_relationships: [{ name: "h", properties: [value] }] };
    expect(reading(writes, [], ["h", "h.since", "h.*"])).toEqual([]);
    expect(reading(writes, ["chart.external_id"])).toEqual(refusedOf(["chart.external_id"]));
  });

  it("a deleted node or relationship: the external id and the deleted paths", () => {
    const writes = { delete_nodes: ["w", "chart.property.x"], delete_relationships: ["h.note"] };
    expect(
      reading(
        writes,
        ["w", "w.external_id", "chart.property.x", "chart.property.x.value", "chart.external_id"],
        ["h.note"],
      ),
    ).toEqual([]);
    const other = ["w.type", "w.property.name", "chart.property.y", "chart.property.x.metadata.k"];
    expect(reading(writes, other)).toEqual(refusedOf(other));
    expect(reading(writes, [], ["h", "h.since"])).toEqual(refusedOf(["h", "h.since"], "relationships"));
  });

  it("does not open a filter: what a query writes tells nothing about what was there", () => {
    const filter = { attribute: "chart.property.state", operator: ">", value: 1 };
    expect(faults({ ...chart(value), filter })).toEqual([
      "query.filter: chart.property.state is neither readable nor filtered on by the policy",
    ]);
    expect(
      faults({
        ...chart(value),
        filter: { attribute: "w.property.name", operator: "=", value: "@chart.property.state" },
      }),
    ).toEqual(["query.filter: chart.property.state is neither readable nor filtered on by the policy"]);
  });

  it("opens nothing to a query that only reads", () => {
    expect(reading({}, ["chart.external_id"])).toEqual(refusedOf(["chart.external_id"]));
  });
});
