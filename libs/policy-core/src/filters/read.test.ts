import { describe, expect, it } from "@jest/globals";
import { Faults } from "../checked.ts";
import { readFilters } from "./read.ts";
import { resolveFilter } from "./resolve.ts";

const faultsOf = (json: unknown): readonly string[] => {
  const faults = new Faults();
  const raw = readFilters(json, "f", faults);
  if (faults.none) resolveFilter(raw, { language: "kbac", bindings: undefined }, faults);
  return faults.list;
};

const nested = (depth: number): unknown =>
  depth === 0
    ? { operator: "=", attribute: "$a", value: 1 }
    : { operator: "NOT", operands: [nested(depth - 1)] };

describe("shape of a filter (policies specification 4.1)", () => {
  it.each([
    [{ operator: "=", attribute: "$a", value: 1, app: "label" }],
    [{ operator: "AND", operands: [{ operator: "IS NULL", attribute: "$token.x" }] }],
    [[{ operator: "=", attribute: "$a", value: 1 }]],
    [nested(15)],
  ])("accepts %j", (json) => {
    expect(faultsOf(json)).toEqual([]);
  });

  it.each([
    [{ operator: "==", attribute: "$a", value: 1 }, "f.operator: one of"],
    [{ operator: "and", operands: [] }, "f.operator: one of AND, OR, NOT"],
    [{ operator: "AND", operands: [] }, "f.operands: 1 or more operands"],
    [{ operator: "NOT", operands: [nested(0), nested(0)] }, "f.operands: NOT takes exactly 1 operand"],
    [{ operator: "=", attribute: "$a" }, "f.value: required"],
    [{ operator: "IS NULL", attribute: "$a", value: 1 }, "f.value: IS NULL takes no value"],
    [{ operator: "=", attribute: "$a", operands: [] }, "f: either attribute or operands"],
    [{ operator: "=" }, "f: either attribute or operands"],
    [{ operator: "IN", attribute: "$a", value: "x" }, "f.value: IN takes an array"],
    [{ operator: "<", attribute: "$a", value: ["x"] }, "f.value: < takes no array"],
    [{ operator: "=", attribute: "$a", value: { a: 1 } }, "f.value: string, number, boolean"],
    [{ operator: "=", attribute: "$a", value: null }, "f.value: required"],
    [{ operator: "IN", attribute: "$a", value: [null] }, "f.value: string, number, boolean"],
    [{ operator: "=", attribute: "$a", value: 1, extra: 1 }, "f.extra: unknown key"],
    [{ operator: "=", attribute: "$a", value: 1, advice: { error: 1 } }, "f.advice.error: string expected"],
    [
      { operator: "=", attribute: "x.property.y", value: 1 },
      "f.attribute: a path of the graph cannot be read here",
    ],
    [{ operator: "=", attribute: "$a", value: "@x.property.y" }, "f.value: a path of the graph"],
    [{ operator: "<", attribute: "$a", value: true }, "f.value: booleans have no order"],
    [{ operator: "=", attribute: "$_x", value: 1 }, 'f.attribute: parameter "$_x" is reserved'],
    [{ operator: "=", attribute: "$token", value: 1 }, "f.attribute: $token needs a claim"],
    [{ operator: "=~", attribute: "$a", value: "x" }, "f.operator: =~ is not available yet"],
    [nested(16), "nested deeper than 16"],
    ["x", "f: object expected"],
  ])("refuses %j", (json, reason) => {
    expect(faultsOf(json).join("\n")).toContain(reason);
  });

  it("refuses more than 200 leaves", () => {
    const operands = Array.from({ length: 201 }, () => nested(0));
    expect(faultsOf({ operator: "OR", operands }).join()).toContain("more than 200 leaves");
  });

  it("says what is not available yet", () => {
    expect(faultsOf({ operator: "=", attribute: "$a", value: { type: "datetime", value: "$b" } })).toEqual([
      "f.value: datetime values are not available yet",
    ]);
  });
});
