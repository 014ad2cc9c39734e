import { describe, expect, it } from "@jest/globals";
import neo4j from "neo4j-driver";
import { parameters } from "./parameters.ts";

describe("parameters", () => {
  it("sends safe integers as integers and other numbers as floats, at any depth", () => {
    const converted = parameters({ a: 1, b: 1.5, c: [2, { d: -3 }], e: 2 ** 53 - 1, f: 2 ** 53, g: 1e300 });
    expect(converted).toEqual({
      a: neo4j.int(1),
      b: 1.5,
      c: [neo4j.int(2), { d: neo4j.int(-3) }],
      e: neo4j.int(2 ** 53 - 1),
      f: 2 ** 53,
      g: 1e300,
    });
  });

  it("keeps strings, booleans, null and empty values", () => {
    const values = { s: "x", t: true, n: null, l: [], m: {}, e: "" };
    expect(parameters(values)).toEqual(values);
  });

  it("takes a key called __proto__ as a key", () => {
    const converted = parameters(JSON.parse('{"m":{"__proto__":{"x":1}}}'));
    expect(JSON.stringify(converted)).toContain('"__proto__"');
    expect(Object.getPrototypeOf(converted["m"])).toBe(Object.prototype);
  });

  it.each<[string, unknown]>([
    ["undefined", undefined],
    ["a function", () => 1],
    ["a bigint", 1n],
    ["a symbol", Symbol("s")],
    ["an object of a class", new Date(0)],
    ["an object of a class", new Map()],
  ])("refuses %s", (named, value) => {
    expect(() => parameters({ a: [{ b: value }] })).toThrow(`a statement parameter cannot be ${named}`);
  });
});
