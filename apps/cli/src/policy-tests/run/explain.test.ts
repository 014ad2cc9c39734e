import { describe, expect, it } from "@jest/globals";
import type { QueryExplanation } from "@ikg/contracts";
import type { World } from "../file/world.ts";
import { explainQuery } from "./explain.ts";

describe("the explanation of a query", () => {
  it("counts rows in the singular and the plural", () => {
    const world = { policies: [], queries: [] } as unknown as World; // nothing else is read
    const filter = { path: "query.filter", operator: "GT", attribute: "pilot.property.hours", value: 5 };
    const rows = {
      pattern: 1,
      filters: [
        { ...filter, before: 1, after: 0 },
        { ...filter, before: 2, after: 1 },
      ],
    };
    const named = { id: "gid:a", name: "ratings", version: 1 };
    const explanation = { policy: named, query: named, outcome: "rows", rows } as unknown as QueryExplanation; // what is read of it
    expect(explainQuery(world, explanation).slice(1)).toEqual([
      "its pattern has 1 row",
      "pilot.property.hours GT 5 matches 0 of 1 row (query.filter)",
      "pilot.property.hours GT 5 matches 1 of 2 rows (query.filter)",
    ]);
  });
});
