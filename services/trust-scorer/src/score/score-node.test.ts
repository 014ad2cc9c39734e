import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { dimensionNames } from "@ikg/contracts";
import { completeness, expectedProperties, isFilled } from "./completeness.ts";
import { defaultConstants } from "./constants.ts";
import { freshnessOf } from "./freshness.ts";
import { originOf } from "./origin.ts";
import { roundScore } from "./round.ts";
import { type ScorableNode, type ScorableProperty, scorableNode } from "./scorable.ts";
import { type Dimension, type DimensionName, scoreNode } from "./score-node.ts";
import { validity } from "./validity.ts";
import { verificationOf } from "./verification.ts";

const page = readFileSync(new URL("../../../../docs/trust-scores.md", import.meta.url), "utf8");
const now = Date.parse("2026-06-01T00:00:00Z");

/** Rows of a marked table of the page, without its head. */
const rowsOf = (name: string): string[][] => {
  const [, text = ""] = new RegExp(`<!-- examples: ${name} -->\\n([\\s\\S]*?)<!-- end -->`).exec(page) ?? [];
  const lines = text.split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
};

const property = (name: string, value: unknown, more: Partial<ScorableProperty> = {}): ScorableProperty => ({
  name,
  value,
  verifiedTime: undefined,
  source: undefined,
  updateTime: undefined,
  ...more,
});
const nodeWith = (values: Readonly<Record<string, unknown>>): ScorableNode => ({
  createTime: undefined,
  updateTime: undefined,
  properties: Object.entries(values).map(([name, value]) => property(name, value)),
});

const formulas: Readonly<Record<string, (input: unknown) => number>> = {
  verification: (input) => verificationOf(input, now, defaultConstants),
  freshness: (input) => freshnessOf(input, now, defaultConstants),
  origin: (input) => originOf(input, defaultConstants),
  validity: (input) => validity(nodeWith(input as Record<string, unknown>), now, defaultConstants),
};

describe("the examples of the documentation", () => {
  const values = rowsOf("values");

  it("are all there", () => {
    expect(values.length).toBe(22);
    expect(rowsOf("completeness").length).toBe(2);
    expect(rowsOf("nodes").length).toBe(8);
  });

  it.each(values)("%s of %s is %s", (formula = "", input = "", score) => {
    const value: unknown = JSON.parse(input.slice(1, -1));
    expect(roundScore(formulas[formula]?.(value) ?? NaN)).toBe(Number(score));
  });

  it.each(rowsOf("completeness"))("completeness of a node with %s is %s", (names = "", score) => {
    const filled = new Map([
      ["email", 4],
      ["name", 4],
      ["phone", 2],
      ["fax", 1],
    ]);
    const expected = new Set(expectedProperties(filled, 4, 0.5));
    expect(expected).toEqual(new Set(["email", "name", "phone"]));
    const node = nodeWith(Object.fromEntries(names.split(", ").map((name) => [name, "x"])));
    expect(roundScore(completeness(node, expected))).toBe(Number(score));
  });

  const stored = Map.groupBy(rowsOf("properties"), ([node = ""]) => node);
  const columns = ["validity", "verification", "freshness", "origin", "completeness"];

  it.each(rowsOf("nodes"))("node %s scores as the table says: %s %s %s %s %s: %s", (name = "", ...cells) => {
    const fields: Record<string, unknown> = {};
    for (const [, property = "", value, updated, verified, source] of stored.get(name) ?? []) {
      if (property.startsWith("(")) {
        fields["update_time"] = updated;
        continue;
      }
      fields[property] = value;
      fields[`${property}.update_time`] = updated;
      if (verified) fields[`${property}.metadata.verified_time`] = verified;
      if (source) fields[`${property}.metadata.source`] = source;
    }
    const wanted = new Map<DimensionName, number>();
    const dimensions: Dimension[] = columns.flatMap((column, at) => {
      const [score, weight] = (cells[at] ?? "").split(" × ").map(Number);
      if (score === undefined || weight === undefined) return [];
      const dimension = column.toUpperCase() as DimensionName; // the columns are those of the contract
      wanted.set(dimension, score);
      return [{ name: dimension, weight }];
    });
    const expected = new Set(["number", "issued_on", "valid_until"]);
    const node = scorableNode(fields);
    const scores = scoreNode(node, { dimensions, now, expected, constants: defaultConstants });
    expect(scores.final).toBe(Number(cells[5]));
    for (const each of dimensionNames) expect(scores.dimensions[each]).toBe(wanted.get(each) ?? null);
  });
});

describe("a score", () => {
  it("is rounded half up to four decimals and clamped", () => {
    expect([0.00005, 0.00004999, 0.50005, 0.99995, 1.2, -0.3].map(roundScore)).toEqual([
      0.0001, 0, 0.5001, 1, 1, 0,
    ]);
    // 1.005 and the like are a little less as floats.
    expect(roundScore((1 + 0.0001) / 2)).toBe(0.5001);
  });

  it("has no final part when no dimension has a weight", () => {
    const scores = scoreNode(nodeWith({ a: 1 }), {
      dimensions: [{ name: "ORIGIN", weight: 0 }],
      now,
      expected: new Set(),
      constants: defaultConstants,
    });
    expect(scores).toEqual({
      final: null,
      dimensions: { VALIDITY: null, VERIFICATION: null, FRESHNESS: null, ORIGIN: 0, COMPLETENESS: null },
    });
  });
});

describe("a node as the formulas see it", () => {
  it("has its business properties alone", () => {
    const node = scorableNode({
      _key: "p/T/x",
      external_id: "x",
      type: "T",
      id: "gid:x",
      create_time: "c",
      update_time: "u",
      is_identity: false,
      name: "n",
      "name.metadata.source": "s",
      "name.metadata.custom": "c",
      "name.update_time": "t",
      "rate.external_value": "resolver",
      "rate.metadata.verified_time": "v",
      "gone.metadata.source": "s",
      "gone.update_time": "t",
      "_p.type": "their own",
      "_p._hidden": 1,
      nothing: null,
    });
    expect(node).toMatchObject({ createTime: "c", updateTime: "u" });
    expect(node.properties).toMatchObject([
      { name: "name", value: "n", source: "s", updateTime: "t", verifiedTime: undefined },
      { name: "rate", value: undefined, verifiedTime: "v" },
      { name: "type", value: "their own" },
    ]);
    expect(node.properties).toHaveLength(3);
  });

  it.each([
    ["", false],
    [" \t\n", false],
    [[], false],
    ["x", true],
    [0, true],
    [false, true],
    [[""], true],
    [undefined, true],
  ])("counts %j as filled: %s", (value, filled) => {
    expect(isFilled({ value })).toBe(filled);
  });
});
