import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { median, medians, percentile, summarize } from "./statistics.ts";

describe("percentile", () => {
  it("takes the nearest rank", () => {
    const values = Array.from({ length: 100 }, (_, index) => index + 1);
    expect(percentile(values, 0.5)).toBe(50);
    expect(percentile(values, 0.99)).toBe(99);
    expect(percentile(values, 1)).toBe(100);
    expect(percentile([7], 0.5)).toBe(7);
  });

  it("is one of the values, and not exceeded by at least its share of them", () => {
    const values = fc.array(fc.double({ noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(values, fc.double({ min: 0.01, max: 1, noNaN: true }), (unsorted, p) => {
        const sorted = [...unsorted].sort((a, b) => a - b);
        const found = percentile(sorted, p);
        expect(sorted).toContain(found);
        expect(sorted.filter((value) => value <= found).length).toBeGreaterThanOrEqual(
          p * sorted.length - 1e-9,
        );
      }),
    );
  });

  it("refuses nothing", () => {
    expect(() => percentile([], 0.5)).toThrow("nothing");
  });
});

describe("median", () => {
  it("is the middle, or between the two in the middle", () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([10, 9])).toBe(9.5);
  });
});

describe("summarize", () => {
  it("gives milliseconds and calls per second", () => {
    const round = { latencies: Float64Array.from([4, 1, 3, 2]), elapsed: 8 };
    expect(summarize(round)).toEqual({ p50: 2, p99: 4, throughput: 500 });
  });

  it("takes the median of each figure over the rounds", () => {
    const rounds = [
      { p50: 1, p99: 9, throughput: 100 },
      { p50: 2, p99: 8, throughput: 300 },
      { p50: 3, p99: 7, throughput: 200 },
    ];
    expect(medians(rounds)).toEqual({ p50: 2, p99: 8, throughput: 200 });
  });
});
