import { describe, expect, it } from "@jest/globals";
import { bindValues, compileKbac, evaluateFilter } from "../index.ts";
import { explainFilter } from "./filter-part.ts";

describe("a filter in memory", () => {
  it("names the first leaf that keeps it from being true by its place in the JSON", () => {
    const checked = compileKbac(
      JSON.stringify({
        meta: { policy_version: "2.0-kbac" },
        subject: { type: "Nurse" },
        actions: ["SIGN"],
        resource: { type: "Chart" },
        condition: {
          cypher: "MATCH (subject)-[:ON]->(w:Ward)-[:HOLDS]->(resource)",
          filter: [
            { attribute: "$token.scope", operator: "CONTAINS", value: "sign" },
            { operator: "OR", operands: [{ attribute: "$token.level", operator: ">=", value: "$least" }] },
            { operator: "NOT", operands: [{ attribute: "$token.acr", operator: "=", value: "bronze" }] },
          ],
        },
      }),
    );
    if (!checked.ok || checked.value.filter === undefined) throw new Error("not compiled");
    const { filter } = checked.value.filter;
    const { needs } = checked.value;
    const outcome = (token: Record<string, unknown>) =>
      explainFilter(evaluateFilter(filter, bindValues(needs, { inputParams: { least: 3 }, token })));
    expect(outcome({ scope: "sign", level: 2 })).toEqual({
      outcome: "filter_not_satisfied",
      part: {
        path: "policy.condition.filter[1].operands[0]",
        operator: ">=",
        attribute: "$token.level",
        value: "$least",
      },
      isNegated: false,
      tokenMissing: false,
    });
    expect(outcome({ level: 3 }).part.path).toBe("policy.condition.filter[0]");
    expect(outcome({ scope: "sign", level: 3, acr: "bronze" })).toMatchObject({
      part: { path: "policy.condition.filter[2].operands[0]", operator: "=", value: "bronze" },
      isNegated: true,
    });
    expect(() => outcome({ scope: "sign", level: 3, acr: "gold" })).toThrow("no failing leaf");
  });
});
