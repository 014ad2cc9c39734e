import { describe, expect, it } from "@jest/globals";
import type { QueryExplanation } from "@ikg/client";
import { countSteps, filterToOpen } from "./counts.ts";

const record = { id: "gid:1", name: "n", version: 1 };
const base: QueryExplanation = {
  policy: record,
  query: record,
  outcome: "rows",
  statements: 1,
  database_hits: 1,
  milliseconds: 1,
};
const filter = (path: string, before: number, after: number) => ({
  path,
  operator: "=",
  attribute: "a.external_id",
  value: "$a",
  before,
  after,
});

describe("the counts of a query", () => {
  const explained: QueryExplanation = {
    ...base,
    rows: {
      pattern: 9,
      filters: [filter("policy.condition.filter[0]", 9, 7), filter("query.filter", 7, 2)],
    },
  };

  it("go from the pattern to the rows, and say whose filter left out how many", () => {
    expect(countSteps(explained)?.map(({ by, rows, removed }) => [by, rows, removed])).toEqual([
      ["policy", 9, 0],
      ["policy", 7, 2],
      ["query", 2, 5],
    ]);
    expect(countSteps(base)).toBeUndefined();
  });

  it("name the filter that leaves no row first, else the one that leaves out most", () => {
    expect(filterToOpen(explained)).toBe("query.filter");
    const none = { ...filter("policy.condition.filter[0]", 0, 0), certain: true };
    expect(filterToOpen({ ...explained, outcome: "filter_not_satisfied", filter: none })).toBe(
      "policy.condition.filter[0]",
    );
    expect(
      filterToOpen({ ...base, rows: { pattern: 3, filters: [filter("query.filter", 3, 3)] } }),
    ).toBeUndefined();
  });
});
