import { describe, expect, it } from "@jest/globals";
import { linesOf, targetRatio, orderOf, ways } from "./plan.ts";

const rounds = (p50: number, throughput: number) => [
  { p50: p50 * 2, p99: 9, throughput: 1 },
  { p50, p99: 9, throughput },
  { p50: p50 / 2, p99: 9, throughput: throughput * 10 },
];

const lines = linesOf([
  { way: "driver", callers: 1, rounds: rounds(0.25, 4000) },
  { way: "gateway", callers: 1, rounds: rounds(0.9, 1000) },
  { way: "driver", callers: 16, rounds: rounds(4, 4000) },
  { way: "gateway", callers: 16, rounds: rounds(2, 8000) },
]);

describe("linesOf", () => {
  it("compares medians with the driver at as many callers", () => {
    expect(lines.map(({ p50Ratio, throughputRatio }) => [p50Ratio, throughputRatio])).toEqual([
      [1, 1],
      [3.6, 0.25],
      [1, 1],
      [0.5, 2],
    ]);
  });

  it("needs the baseline", () => {
    expect(() => linesOf([{ way: "gateway", callers: 1, rounds: rounds(1, 1) }])).toThrow("baseline");
  });
});

describe("targetRatio", () => {
  it("is the gateway's at one caller", () => {
    expect(targetRatio(lines)).toBeCloseTo(3.6);
  });
});

describe("orderOf", () => {
  it("gives each way every place once in as many rounds as there are ways", () => {
    for (const place of ways.keys())
      expect(new Set(ways.map((_, round) => orderOf(round)[place])).size).toBe(ways.length);
  });
});
