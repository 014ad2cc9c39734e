import { describe, expect, it } from "@jest/globals";
import { Faults } from "../json.ts";
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

describe("shape of a filter", () => {
  it.each([
    [{ operator: "=", attribute: "$a", value: 1, app: "label" }],
    [{ operator: "AND", operands: [{ operator: "IS NULL", attribute: "$token.x" }] }],
    [[{ operator: "=", attribute: "$a", value: 1 }]],
    [nested(15)],
    [{ operator: "=~", attribute: "$a", value: "$pattern" }],
    [{ operator: "<", attribute: "$token.exp", value: { type: "datetime", value: "2026-01-01T00:00:00Z" } }],
    [{ operator: "<", attribute: { type: "datetime", value: "$since" }, value: "$token.exp" }],
    [{ operator: ">", attribute: { type: "datetime", value: "2026-01-01T00:00:00+02:00" }, value: 1 }],
  ])("accepts %j", (json) => {
    expect(faultsOf(json)).toEqual([]);
  });

  it.each([
    [{ operator: "==", attribute: "$a", value: 1 }, "f.operator: must be one of"],
    [{ operator: "and", operands: [] }, "f.operator: must be one of AND, OR, NOT"],
    [{ operator: "AND", operands: [] }, "f.operands: must have at least one operand"],
    [{ operator: "NOT", operands: [nested(0), nested(0)] }, "f.operands: NOT takes exactly 1 operand"],
    [{ operator: "=", attribute: "$a" }, "f.value: required"],
    [{ operator: "IS NULL", attribute: "$a", value: 1 }, "f.value: IS NULL takes no value"],
    [{ operator: "=", attribute: "$a", operands: [] }, 'f: must have either "attribute" or "operands"'],
    [{ operator: "=" }, 'f: must have either "attribute" or "operands"'],
    [{ operator: "IN", attribute: "$a", value: "x" }, "f.value: IN takes an array"],
    [{ operator: "<", attribute: "$a", value: ["x"] }, "f.value: < takes no array"],
    [{ operator: "=", attribute: "$a", value: { a: 1 } }, "f.value.a: unknown key"],
    [
      { operator: "=", attribute: "$a", value: { type: "date", value: "x" } },
      "f.value.type: must be datetime",
    ],
    [{ operator: "=", attribute: "$a", value: { type: "datetime" } }, "f.value.value: required"],
    [
      { operator: "=", attribute: "$a", value: { type: "datetime", value: 5 } },
      "f.value.value: string expected",
    ],
    [
      { operator: "=", attribute: "$a", value: { type: "datetime", value: "2026-02-30T00:00:00Z" } },
      "f.value.value: RFC 3339 text with an offset",
    ],
    [
      { operator: "IN", attribute: "$a", value: { type: "datetime", value: "$b" } },
      "f.value: IN takes no datetime",
    ],
    [
      { operator: "IS NULL", attribute: { type: "datetime", value: "$b" } },
      "f.attribute: IS NULL takes no datetime",
    ],
    [
      { operator: "<", attribute: { type: "datetime", value: "$b" }, value: "today" },
      "f.value: RFC 3339 text with an offset or epoch seconds",
    ],
    [
      { operator: "<", attribute: "$a", value: { type: "datetime", value: "@x.property.y" } },
      "f.value.value: a path of the graph cannot be read here",
    ],
    [
      { operator: "=", attribute: "$a", value: "\ud800" },
      "f.value: a lone surrogate is not well-formed Unicode",
    ],
    [
      { operator: "IN", attribute: "$a", value: ["\udfff"] },
      "f.value: a lone surrogate is not well-formed Unicode",
    ],
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
    [{ operator: "=~", attribute: "$a", value: "(a)\\1" }, "back-references are not accepted"],
    [
      { operator: "=~", attribute: "$a", value: 5 },
      "f.value: not an accepted regular expression: string expected",
    ],
    [{ operator: "=~", attribute: "$a", value: ["x"] }, "f.value: =~ takes no array"],
    [{ operator: "=~", attribute: "$a", value: "@x.property.y" }, "f.value: =~ takes a string, $name"],
    [nested(16), "nested deeper than 16"],
    ["x", "f: object expected"],
  ])("refuses %j", (json, reason) => {
    expect(faultsOf(json).join("\n")).toContain(reason);
  });

  it("refuses more than 200 leaves", () => {
    const operands = Array.from({ length: 201 }, () => nested(0));
    expect(faultsOf({ operator: "OR", operands }).join()).toContain("more than 200 leaves");
  });
});
