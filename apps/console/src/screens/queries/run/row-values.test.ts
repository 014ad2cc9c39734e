import { describe, expect, it } from "@jest/globals";
import { pathsOf, valueOf, valueText } from "./row-values.ts";

const rows = [
  { nodes: { "a.external_id": "1" }, aggregate_values: { count: 2 } },
  { nodes: { "a.external_id": "2", "a.property.x": null }, relationships: { r: { Id: 1 } } },
];

describe("rows of a query", () => {
  it("have a column for each path, in the order of their groups", () => {
    expect(pathsOf(rows).map(({ group, path }) => `${group} ${path}`)).toEqual([
      "nodes a.external_id",
      "nodes a.property.x",
      "relationships r",
      "aggregate_values count",
    ]);
  });

  it("have no value where a row does not name the path, whatever it is called", () => {
    const [row] = rows;
    expect(row && valueOf(row, { group: "nodes", path: "toString" })).toBeUndefined();
    expect(row && valueOf(row, { group: "aggregate_values", path: "count" })).toBe(2);
  });

  it.each([
    ["text", "text"],
    ["", ""],
    [0, "0"],
    [false, "false"],
    [["a", 1], '["a",1]'],
    [null, undefined],
    [undefined, undefined],
  ])("show %j as %j", (value, expected) => {
    expect(valueText(value)).toBe(expected);
  });
});
