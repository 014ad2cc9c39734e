import { describe, expect, it } from "@jest/globals";
import { type FileMapping, ImportMapping, mappingFileText, readMapping } from "@ikg/imports/browser";
import {
  addKey,
  addNode,
  addProperty,
  addRelationship,
  renamedProperty,
  withKind,
  withoutNode,
  withProperty,
} from "./section-edits.ts";
import { readOptionsOf, sectionNameOf, withSection } from "./sections.ts";

const pilot: FileMapping = {
  nodes: [{ type: "Pilot", external_id: "{id}", properties: { name: "full_name" } }],
};

describe("what is made of a column that is dropped", () => {
  it("is a node type with its id, of the rows that have it", () => {
    expect(addNode(pilot, "club_id").nodes?.[1]).toEqual({
      type: "Club",
      external_id: "{club_id}",
      when: "club_id",
    });
    expect(addNode({}, undefined)).toEqual({ nodes: [{ type: "", external_id: "" }] });
  });

  it("is a relationship from the first node type", () => {
    const expected = {
      source: { type: "Pilot", external_id: "{id}" },
      type: "HAS_CLUB",
      target: { type: "Club", external_id: "{club_id}" },
    };
    expect(addRelationship(pilot, "club_id").relationships).toEqual([expected]);
    const key = { column: "club_id", role: "club", type: "Club" };
    expect(addKey(pilot, key).relationships).toEqual([expected]);
  });

  it("is a property under a name that is free, a prototype's name included", () => {
    const properties = { name: "full_name", toString_: "x" };
    expect(addProperty(properties, "name", undefined)).toEqual({ ...properties, name_: "name" });
    const proto = addProperty(undefined, "constructor", undefined);
    expect(Object.entries(proto)).toEqual([["constructor", "constructor"]]);
  });
});

describe("edits of a mapping", () => {
  it("keep what the form does not show", () => {
    const property = { column: "hours", as: "list", separator: ";", metadata: { source: "log" } } as const;
    expect(withKind(property, "integer")).toEqual({
      column: "hours",
      as: "integer",
      metadata: { source: "log" },
    });
    expect(withKind({ column: "hours", as: "integer" }, undefined)).toBe("hours");
    expect(withKind("hours", "number")).toEqual({ column: "hours", as: "number" });
  });

  it("rename a property in its place, and take no name away from one", () => {
    const properties = { a: "1", b: "2", c: "3" };
    expect(Object.entries(renamedProperty(properties, "b", "x"))).toEqual([
      ["a", "1"],
      ["x", "2"],
      ["c", "3"],
    ]);
    expect(renamedProperty(properties, "b", "c")).toBe(properties);
    expect(renamedProperty(properties, "b", "")).toBe(properties);
    expect(withProperty(properties, "b", undefined)).toEqual({ a: "1", c: "3" });
  });

  it("remove one node and no other", () => {
    expect(withoutNode(addNode(pilot, "club_id"), 0).nodes?.map(({ type }) => type)).toEqual(["Club"]);
  });

  it("are saved as a file that is read as the same mapping", () => {
    const files = { "pilots.csv": addRelationship(addNode(pilot, "club_id"), "club_id") };
    const text = mappingFileText({ files });
    expect(readMapping("map.yaml", text).value).toEqual(ImportMapping.parse({ files }));
  });
});

describe("sections", () => {
  it("belong to the files that their patterns fit", () => {
    const sections = { "p*.csv": pilot, "*": {} };
    expect(sectionNameOf(sections, "pilots.csv")).toBe("p*.csv");
    expect(withSection(sections, "clubs.csv", pilot)["*"]).toBe(pilot);
    expect(withSection({}, "clubs.csv", pilot)).toEqual({ "clubs.csv": pilot });
  });

  it("without a delimiter are read as they are imported, once they say what rows become", () => {
    const table = { name: "a.csv", format: "csv", bytes: async function* none() {} } as const;
    expect(readOptionsOf(undefined, table).delimiter).toBeUndefined();
    expect(readOptionsOf(pilot, table).delimiter).toBe(",");
    expect(readOptionsOf({ ...pilot, delimiter: ";" }, table).delimiter).toBe(";");
  });
});
