import { describe, expect, it } from "@jest/globals";
import { isWriting, tryResult } from "./try-resolver.ts";

describe("a query that can be tried", () => {
  it.each([
    ['{"nodes": ["a"]}', false],
    ['{"nodes": [], "upsert_nodes": []}', true],
    ['{"delete_relationships": ["r"]}', true],
    ["no JSON", true],
  ])("%s writes: %s", (query, expected) => {
    expect(isWriting({ query })).toBe(expected);
  });
});

describe("what a run says about a resolver", () => {
  const failure = (resolver: string, row: number, reason: "upstream_timeout" | "missing_param") => ({
    resolver,
    row,
    path: "a.property.price",
    reason,
  });

  it("counts its failures by name and gid, and none of another", () => {
    const { rows, failures } = tryResult(
      {
        data: [{ nodes: {} }, { nodes: {} }],
        errors: [
          failure("prices", 0, "upstream_timeout"),
          failure("gid:r", 1, "upstream_timeout"),
          failure("prices", 1, "missing_param"),
          failure("others", 1, "missing_param"),
        ],
      },
      ["prices", "gid:r"],
    );
    expect(rows).toBe(2);
    expect(failures).toEqual([
      { reason: "upstream_timeout", path: "a.property.price", count: 2 },
      { reason: "missing_param", path: "a.property.price", count: 1 },
    ]);
  });

  it("shows values of the first rows", () => {
    const data = Array.from({ length: 9 }, (_, at) => ({
      nodes: { "a.property.price": at, a: { whole: true } },
    }));
    expect(tryResult({ data }, ["prices"]).values).toEqual(
      [0, 1, 2, 3, 4].map((value) => ({ path: "a.property.price", value })),
    );
  });
});
