import { describe, expect, it } from "@jest/globals";
import { isFault, readNodePath, readRelationshipPath } from "./path.ts";

describe("paths below a node", () => {
  it.each([
    ["chart", { kind: "node" }],
    ["chart.*", { kind: "all" }],
    ["chart.external_id", { kind: "system", field: "external_id" }],
    ["chart.create_time", { kind: "system", field: "create_time" }],
    ["chart.property.title", { kind: "property", name: "title" }],
    ["chart.property.title.value", { kind: "property", name: "title" }],
    ["chart.property.value", { kind: "property", name: "value" }],
    ["chart.property.value.value", { kind: "property", name: "value" }],
    ["chart.property.metadata.metadata.source", { kind: "metadata", name: "metadata", key: "source" }],
    ["chart.property.title.metadata.source", { kind: "metadata", name: "title", key: "source" }],
    ["chart.property.*", { kind: "all-properties" }],
    ["chart.property.title.*", { kind: "property-and-metadata", name: "title" }],
    ["chart.property.title.metadata.*", { kind: "all-metadata", name: "title" }],
    ["chart.trust_score._final_score", { kind: "trust", score: "_final_score" }],
    ["chart.trust_score.*", { kind: "all-trust" }],
    ["property.property.city", { kind: "property", name: "city" }],
  ])("reads %s", (text, expected) => {
    expect(readNodePath(text)).toMatchObject({ ...expected, text });
  });

  it("takes the first segment as the alias, whatever its text", () => {
    expect(readNodePath("property.property.city")).toMatchObject({ alias: "property" });
  });

  it.each([
    "chart.title",
    "chart.property",
    "chart.property.",
    "chart.property.a b",
    "chart.property.title.metadata",
    "chart.property.title.metadata.a.b",
    "chart.property.title.source",
    "chart.trust_score",
    "chart.trust_score._id",
    "chart.is_identity.x",
    "chart.",
    "chart.external_id.value",
  ])("refuses %s", (text) => {
    expect(isFault(readNodePath(text))).toBe(true);
  });

  it("says how a property is written where the segment is missing", () => {
    expect(readNodePath("chart.title")).toEqual({
      fault: "unknown field of a node; a property is written chart.property.title",
    });
  });
});

describe("paths below a relationship", () => {
  it.each([
    ["s", { kind: "relationship" }],
    ["s.*", { kind: "all" }],
    ["s.shift", { kind: "property", name: "shift" }],
    ["s.type", { kind: "property", name: "type" }],
  ])("reads %s", (text, expected) => {
    expect(readRelationshipPath(text)).toMatchObject({ ...expected, alias: "s" });
  });

  it.each(["s.property.shift", "s.a b", "s.", "s.*.x"])("refuses %s", (text) => {
    expect(isFault(readRelationshipPath(text))).toBe(true);
  });
});
