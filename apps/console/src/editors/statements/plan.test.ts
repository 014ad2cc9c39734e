import { describe, expect, it } from "@jest/globals";
import { costOf, indexesOf, joinFindings, type Operator } from "./plan.ts";

const leaf: Operator = { operator: "NodeIndexSeek", index: "a", estimated_rows: 1 };

describe("a plan", () => {
  it("names each index once, wherever it stands", () => {
    const plan = {
      operator: "Apply",
      children: [leaf, { operator: "Filter", children: [leaf, { ...leaf, index: "b" }] }],
    };
    expect(indexesOf(plan)).toEqual(["a", "b"]);
    expect(indexesOf(undefined)).toEqual([]);
  });

  it("says what was measured, else what is expected", () => {
    expect(costOf(leaf)).toBe("about 1 row");
    expect(costOf({ ...leaf, rows: 2, hits: 3 })).toBe("2 rows, 3 hits");
    expect(costOf({ operator: "x" })).toBe("");
  });

  it("has findings of one kind as one", () => {
    const finding = { code: "filter-after-expand", text: "t" } as const;
    expect(
      joinFindings([
        { ...finding, operator: "Filter" },
        { ...finding, operator: "Filter" },
        { ...finding, operator: "Expand" },
      ]),
    ).toEqual([{ ...finding, operators: ["Filter", "Expand"] }]);
  });
});
