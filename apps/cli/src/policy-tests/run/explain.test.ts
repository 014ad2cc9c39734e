import { describe, expect, it } from "@jest/globals";
import type { CandidateExplanation, QueryExplanation } from "@ikg/contracts";
import type { World } from "../file/world.ts";
import { explainDecision, explainQuery } from "./explain.ts";

const noPolicies = { policies: [], queries: [] } as unknown as World; // nothing else is read

describe("the explanation of a query", () => {
  it("counts rows in the singular and the plural", () => {
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
    expect(explainQuery(noPolicies, explanation).slice(1)).toEqual([
      "its pattern has 1 row",
      "pilot.property.hours GT 5 matches 0 of 1 row (query.filter)",
      "pilot.property.hours GT 5 matches 1 of 2 rows (query.filter)",
    ]);
  });
});

describe("the explanation of a decision", () => {
  const candidate = (rest: Partial<CandidateExplanation>): CandidateExplanation => ({
    policy: { id: "gid:a", name: "may-fly", version: 1 },
    outcome: "unknown",
    statements: 0,
    database_hits: 0,
    ...rest,
  });
  const linesOf = (rest: Partial<CandidateExplanation>) =>
    explainDecision(noPolicies, { candidates: [candidate(rest)], milliseconds: 1 });

  it("shows the comparison that keeps a filter from being true, below NOT with it", () => {
    const filter = {
      path: "policy.condition.filter.operands[0]",
      operator: "=",
      attribute: "$token.acr",
      value: "bronze",
      token_missing: false,
    };
    const outcome = "filter_not_satisfied";
    expect(linesOf({ outcome, filter })).toEqual([
      `policy may-fly: its filter is not true: $token.acr = "bronze" (${filter.path})`,
    ]);
    expect(linesOf({ outcome, filter: { ...filter, negated: true } })).toEqual([
      `policy may-fly: its filter is not true: NOT ($token.acr = "bronze") (${filter.path})`,
    ]);
  });

  it("names no cause where a policy cannot be explained", () =>
    expect(linesOf({ outcome: "unknown" })).toEqual(["policy may-fly: it cannot be explained"]));
});
