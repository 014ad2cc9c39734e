import { describe, expect, it } from "@jest/globals";
import { parseSelector } from "@ikg/contracts";
import { ResolverFailure } from "./failure.ts";
import { jsonSize } from "./json-size.ts";
import { select } from "./select.ts";

const found = (text: string, document: unknown): unknown => {
  const selector = parseSelector(text);
  if (!selector.ok) throw new Error(selector.fault);
  try {
    return select(selector.value, document);
  } catch (error) {
    if (error instanceof ResolverFailure) return error;
    throw error;
  }
};
/** Processor time: a busy machine lengthens the clock's more. */
const millisecondsSince = (before: NodeJS.CpuUsage): number => process.cpuUsage(before).user / 1_000;

const noMatch = new ResolverFailure("selector_no_match");

const quote = {
  current: 18400,
  none: null,
  chart: { result: [{ meta: { regularMarketPrice: 1.5 } }, { meta: {} }] },
  "a b": { "": "empty" },
  list: [1, 2, 3],
};

describe("what a selector finds", () => {
  it.each<[string, unknown]>([
    ["$", quote],
    [".", quote],
    [".current", 18400],
    ["$.none", null],
    [".chart.result[0].meta.regularMarketPrice", 1.5],
    ["$.chart.result[-1].meta", {}],
    ['."a b"', { "": "empty" }],
    ["$['a b']['']", "empty"],
    ["$.list[*]", [1, 2, 3]],
    [".list[]", [1, 2, 3]],
    ["$.list[5:]", []],
    ["$..regularMarketPrice", [1.5]],
    ["$..absent", []],
    ["$.list[?@ > 1]", [2, 3]],
    ["$.chart.result[?length(@.meta) == 0]", [{ meta: {} }]],
    ["$['current','none']", [18400, null]],
  ])("%s", (text, value) => {
    expect(found(text, quote)).toEqual(value);
  });

  it.each([".absent", ".current.x", ".none.x", ".list[3]", ".list[-4]", ".list.length", ".chart[0]"])(
    "%s finds nothing",
    (text) => {
      expect(found(text, quote)).toEqual(noMatch);
    },
  );

  it("is the document's own", () => {
    for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty"]) {
      expect(found(`.${name}`, {})).toEqual(noMatch);
      expect(found(`$..${name}`, { a: {} })).toEqual([]);
    }
    expect(found(".__proto__.a", JSON.parse('{"__proto__":{"a":1}}'))).toBe(1);
    expect(found("$['length']", "text")).toEqual(noMatch);
    expect(found("$[0]", "text")).toEqual(noMatch);
  });

  it("is found in time, or not at all", () => {
    const long = Array.from({ length: 100_000 }, (_, index) => index);
    const before = process.cpuUsage();
    expect(found("$[?count($..*) > 1]", long)).toEqual(new ResolverFailure("limit_exceeded"));
    expect(millisecondsSince(before)).toBeLessThan(1_000);
    expect(found("$[?@ == 5]", [5])).toEqual([5]);
  });
});

it("the size of a value is counted up to a limit", () => {
  expect(jsonSize(null, 100)).toBe(4);
  expect(jsonSize({ a: ["b", 1, true] }, 100)).toBeGreaterThanOrEqual('{"a":["b",1,true]}'.length - 2);
  const shared = Array.from({ length: 1000 }, () => "x".repeat(1000));
  const again = Array.from({ length: 1_000_000 }, () => shared);
  const before = process.cpuUsage();
  expect(jsonSize(again, 10_000)).toBeGreaterThan(10_000);
  expect(millisecondsSince(before)).toBeLessThan(500);
});
