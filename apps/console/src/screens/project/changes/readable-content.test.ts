import { describe, expect, it } from "@jest/globals";
import { inverseText, readableContent, transitionText } from "./readable-content.ts";

describe("the content of a record, in lines", () => {
  it("has its texts last, JSON in lines, and Cypher as it was written", () => {
    const policy = JSON.stringify({ condition: { cypher: "MATCH (a)\nWHERE a.x" } });
    expect(readableContent("may-fly", { policy, status: "ACTIVE", tags: ["a", "b"] }).split("\n")).toEqual([
      "status: ACTIVE",
      "tags: a, b",
      "",
      "policy:",
      "{",
      '  "condition": {',
      String.raw`    "cypher": "MATCH (a)\nWHERE a.x"`,
      "  }",
      "}",
      "",
      "condition:",
      "MATCH (a)",
      "WHERE a.x",
      "",
    ]);
  });

  it.each([
    [undefined, ""],
    [{ policy: "a draft that is no JSON" }, "policy: a draft that is no JSON\n"],
    [{ policy: "12", status: "DRAFT" }, "status: DRAFT\npolicy: 12\n"],
    [{ display_name: "may-fly", status: "DRAFT" }, "status: DRAFT\n"],
    [{ display_name: "May fly" }, "display_name: May fly\n"],
  ])("%j", (content, expected) => {
    expect(readableContent("may-fly", content)).toBe(expected);
  });
});

describe("what became of a record", () => {
  const collection = "authorization-policies" as const;
  it.each([
    [{ op: "put", from_version: 0, to_version: 1 }, "created", "is removed"],
    [{ op: "put", from_version: 2, to_version: 3 }, "changed to version 3", "is restored to version 2"],
    [{ op: "delete", from_version: 3, to_version: 0 }, "removed", "is restored"],
  ] as const)("%j is %s, and reverted it %s", (transition, text, inverse) => {
    expect(transitionText({ collection, ...transition })).toBe(text);
    expect(inverseText({ collection, ...transition })).toBe(inverse);
  });
});
