import { describe, expect, it } from "@jest/globals";
import { markPart, markPath } from "./segments.ts";

const joined = (segments: readonly { readonly text: string }[]): string =>
  segments.map(({ text }) => text).join("");
const marked = (
  segments: readonly { readonly text: string; readonly isMarked: boolean }[],
): readonly string[] => segments.filter(({ isMarked }) => isMarked).map(({ text }) => text);

describe("a part of a pattern", () => {
  const cypher = "MATCH (subject)-[:OWNS]->(resource)\nWHERE resource.property.level >= 2";
  const part = (from: [number, number], to: [number, number]) => ({
    kind: "predicate" as const,
    text: "",
    from: { line: from[0], column: from[1] },
    to: { line: to[0], column: to[1] },
    certain: true,
  });

  it("is marked at its line and column", () => {
    const segments = markPart(cypher, part([2, 7], [2, 35]));
    expect(marked(segments)).toEqual(["resource.property.level >= 2"]);
    expect(joined(segments)).toBe(cypher);
  });

  it("may go over lines, and beyond a text that is not the one it was", () => {
    expect(marked(markPart(cypher, part([1, 16], [2, 6])))).toEqual(["-[:OWNS]->(resource)\nWHERE"]);
    expect(joined(markPart("short", part([3, 1], [4, 1])))).toBe("short");
  });
});

describe("a leaf of a filter", () => {
  const filter = {
    operator: "AND",
    operands: [
      { attribute: "a", value: 1 },
      { attribute: "b", value: [2] },
    ],
  };

  it("is marked by its path", () => {
    const segments = markPath(filter, "policy.condition.filter", "policy.condition.filter.operands[1]");
    expect(joined(segments)).toBe(JSON.stringify(filter, undefined, 2));
    expect(marked(segments).map((text) => JSON.parse(text))).toEqual([filter.operands[1]]);
  });

  it("may be the filter itself", () => {
    expect(marked(markPath(filter, "policy.condition.filter", "policy.condition.filter"))).toEqual([
      JSON.stringify(filter, undefined, 2),
    ]);
  });

  it("is written as JSON whatever it holds", () => {
    const hostile = JSON.parse('{"__proto__": [], "a": {}, "b": "<b>\\u0000", "c": null}') as unknown;
    expect(joined(markPath(hostile, "p", undefined))).toBe(JSON.stringify(hostile, undefined, 2));
  });
});
