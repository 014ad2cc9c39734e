import { describe, expect, it } from "@jest/globals";
import { repeatedMembers } from "./repeated-members.ts";

const maxDepth = 32;
const nested = (depth: number, inner: string): string => `${"[".repeat(depth)}${inner}${"]".repeat(depth)}`;

describe("repeated members of a JSON text", () => {
  it("none where every name stands once in its object", () => {
    const text = '{"a": {"a": 1, "b": [{"a": 1}, {"a": 2}]}, "b": "a"}';
    expect(repeatedMembers(text, maxDepth)).toEqual([]);
  });

  it.each<[string, string[]]>([
    ['{"a": 1, "a": 2, "a": 3}', [".a"]],
    ['{"a": {"b": 1, "c": {}, "b": 2}}', [".a.b"]],
    ['[{"a": 1}, [{"b": [], "b": {}}]]', ["[1][0].b"]],
    ['{"a": [1, {"b": 1, "c": [2, 3], "b": 2}], "a": 1}', [".a[1].b", ".a"]],
    [String.raw`{"a": 1, "\u0061": 2}`, [".a"]],
    ['{"": 1, "": 2}', ["."]],
    ['{"__proto__": 1, "__proto__": 2}', [".__proto__"]],
  ])("%s", (text, places) => {
    expect(repeatedMembers(text, maxDepth)).toEqual(places);
  });

  it("nothing in a string counts", () => {
    const text = String.raw`{"a": "{\"b\": 1, \"b\": 2}", "b\\": "\"", "b": ["a", "a", "}"]}`;
    expect(repeatedMembers(text, maxDepth)).toEqual([]);
  });

  it("shortens long names in places", () => {
    const name = "n".repeat(1_000);
    expect(repeatedMembers(`{"${name}": 1, "${name}": 2}`, maxDepth)).toEqual([`.${"n".repeat(64)}`]);
  });

  it("names 20 places of a text with many", () => {
    const members = Array.from({ length: 20_000 }, (_, index) => `"${index}":1,"${index}":2`).join(",");
    expect(repeatedMembers(nested(maxDepth - 1, `{${members}}`), maxDepth)).toHaveLength(20);
    expect(repeatedMembers(`[{${members}},${nested(maxDepth, "")}]`, maxDepth)).toBeUndefined();
  });

  it("reads a text of the greatest length", () => {
    const long = JSON.stringify({ a: 'x\\"'.repeat(100_000), b: Array.from({ length: 50_000 }, () => "{") });
    expect(repeatedMembers(long, maxDepth)).toEqual([]);
    const often = `{${Array.from({ length: 80_000 }, () => '"a":1').join(",")}}`;
    expect(repeatedMembers(nested(maxDepth - 1, often), maxDepth)).toHaveLength(1);
  });

  it("is not answered for a text that is too deep, also where its depth is in a member that is dropped", () => {
    expect(repeatedMembers(nested(maxDepth, ""), maxDepth)).toEqual([]);
    expect(repeatedMembers(nested(maxDepth + 1, ""), maxDepth)).toBeUndefined();
    expect(repeatedMembers(`{"a": ${nested(maxDepth, "")}, "a": 1}`, maxDepth)).toBeUndefined();
    const often = `{${Array.from({ length: 40_000 }, () => '"a":1').join(",")}}`;
    expect(repeatedMembers(`{"a": ${nested(100_000, often)}}`, maxDepth)).toBeUndefined();
  });
});
