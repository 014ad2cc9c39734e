import { describe, expect, it } from "@jest/globals";
import { repeatedMembers } from "./repeated-members.ts";

describe("repeated members of a JSON text", () => {
  it("none where every name stands once in its object", () => {
    expect(repeatedMembers('{"a": {"a": 1, "b": [{"a": 1}, {"a": 2}]}, "b": "a"}')).toEqual([]);
  });

  it.each<[string, string[]]>([
    ['{"a": 1, "a": 2, "a": 3}', [".a"]],
    ['{"a": {"b": 1, "c": {}, "b": 2}}', [".a.b"]],
    ['[{"a": 1}, [{"b": [], "b": {}}]]', ["[1][0].b"]],
    [String.raw`{"a": 1, "\u0061": 2}`, [".a"]],
    ['{"": 1, "": 2}', ["."]],
    ['{"__proto__": 1, "__proto__": 2}', [".__proto__"]],
  ])("%s", (text, places) => {
    expect(repeatedMembers(text)).toEqual(places);
  });

  it("nothing in a string counts", () => {
    expect(
      repeatedMembers(String.raw`{"a": "{\"b\": 1, \"b\": 2}", "b\\": "\"", "b": ["a", "a", "}"]}`),
    ).toEqual([]);
  });

  it("reads a text of the greatest length and depth", () => {
    const long = JSON.stringify({ a: 'x\\"'.repeat(100_000), b: Array.from({ length: 50_000 }, () => "{") });
    expect(repeatedMembers(long)).toEqual([]);
    expect(repeatedMembers(`${"[".repeat(200_000)}${"]".repeat(200_000)}`)).toEqual([]);
  });

  it("names 20 places of a deep text with many", () => {
    const members = Array.from({ length: 20_000 }, (_, index) => `"${index}":1,"${index}":2`).join(",");
    const deep = 100_000;
    expect(repeatedMembers(`${"[".repeat(deep)}{${members}}${"]".repeat(deep)}`)).toHaveLength(20);
  });
});
