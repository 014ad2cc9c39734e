import { describe, expect, it } from "@jest/globals";
import { placeInJson } from "./json-place.ts";

const text = `{
  "nodes": ["a.b", "c \\"]\\" d"],
  "filter": { "operands": [{ "attribute": "x" }, 5] },
  "__proto__": [1]
}`;

describe("the place of a path in JSON", () => {
  it.each([
    ["query", { line: 1, column: 1 }],
    ["query.nodes", { line: 2, column: 12 }],
    ["query.nodes[1]", { line: 2, column: 20 }],
    ["query.filter.operands[1]", { line: 3, column: 50 }],
    ["query.filter.operands[0].attribute", { line: 3, column: 43 }],
    ["query.__proto__[0]", { line: 4, column: 17 }],
  ])("%s is found", (path, expected) => {
    expect(placeInJson(text, path)).toEqual(expected);
  });

  it("is that of the nearest value which the text has", () => {
    expect(placeInJson(text, "query.nodes[7].name")).toEqual({ line: 2, column: 12 });
    expect(placeInJson(text, "query.toString")).toEqual({ line: 1, column: 1 });
  });

  it.each(["", " \n", "{", '{"nodes": [', "][", '"open'])("ends for the text %j", (broken) => {
    expect(() => placeInJson(broken, "query.nodes[0]")).not.toThrow();
  });
});
