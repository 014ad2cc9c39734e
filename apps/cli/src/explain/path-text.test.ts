import { describe, expect, it } from "@jest/globals";
import { pathText } from "./path-text.ts";

const node = (text: string) => {
  const [type = "", id = ""] = text.split("/");
  return { type, id };
};
const draw = (nodes: readonly string[], relationships: readonly (readonly [string, string, string])[]) =>
  pathText(
    {
      nodes: nodes.map(node),
      relationships: relationships.map(([source, type, target]) => ({
        type,
        source: node(source),
        target: node(target),
      })),
    },
    node("P/ann"),
  );

describe("a match as text", () => {
  it("goes from the subject on, in either direction of a relationship", () =>
    expect(
      draw(
        ["D/d1", "P/ann", "G/g"],
        [
          ["G/g", "HOLDS", "P/ann"],
          ["G/g", "OWNS", "D/d1"],
        ],
      ),
    ).toEqual(["P/ann ←HOLDS─ G/g ─OWNS→ D/d1"]));

  it("has a line for each further branch, and for nodes that nothing relates", () =>
    expect(
      draw(
        ["P/ann", "D/d1", "T/t", "X/x"],
        [
          ["P/ann", "READS", "D/d1"],
          ["P/ann", "IN", "T/t"],
        ],
      ),
    ).toEqual(["P/ann ─READS→ D/d1", "P/ann ─IN→ T/t", "X/x"]));

  it("draws a relationship of a node to itself, and a circle, once", () =>
    expect(
      draw(
        ["P/ann", "P/bob"],
        [
          ["P/ann", "LIKES", "P/ann"],
          ["P/ann", "KNOWS", "P/bob"],
          ["P/bob", "KNOWS", "P/ann"],
        ],
      ),
    ).toEqual(["P/ann ─LIKES→ P/ann ─KNOWS→ P/bob ─KNOWS→ P/ann"]));

  it("of a subject alone is the subject", () => expect(draw(["P/ann"], [])).toEqual(["P/ann"]));
});
