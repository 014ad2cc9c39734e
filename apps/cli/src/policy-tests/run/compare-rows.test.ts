import { describe, expect, it } from "@jest/globals";
import { compareRows } from "./ask-query.ts";

const exact = { order: "exact", columns: "all" } as const;
const [ann, bob] = [
  { "p.external_id": "ann", "p.property.hours": 3 },
  { "p.external_id": "bob", "p.property.hours": [1, 2] },
];

describe("rows", () => {
  it("are compared in their order, unless any is good", () => {
    expect(compareRows([ann, bob], [ann, bob], exact)).toEqual([]);
    expect(compareRows([bob, ann], [ann, bob], exact)).toEqual([expect.stringContaining("another order")]);
    expect(compareRows([bob, ann], [ann, bob], { ...exact, order: "any" })).toEqual([]);
  });

  it("are named when they are missing or too many, each as often as that", () => {
    expect(compareRows([ann, ann], [ann, bob], exact)).toEqual([
      'missing row {"p.external_id":"ann","p.property.hours":3}',
      'unexpected row {"p.external_id":"bob","p.property.hours":[1,2]}',
    ]);
  });

  it("may have further columns where only those listed are compared", () => {
    const listed = { ...exact, columns: "listed" } as const;
    expect(compareRows([{ "p.external_id": "ann" }], [ann], listed)).toEqual([]);
    expect(compareRows([{ "p.external_id": "ann" }], [ann], exact)).toHaveLength(2);
    expect(compareRows([{ "p.property.age": null }], [ann], listed)).toEqual([]);
  });
});
