import { describe, expect, it } from "@jest/globals";
import { compareInstants, instantOf } from "./instant.ts";

describe("instants", () => {
  it("agree with the calendar of the language over every month of ten thousand years", () => {
    for (let year = 0; year <= 9999; year++) {
      for (let month = 1; month <= 12; month++) {
        const date = `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}`;
        const last = new Date(Date.UTC(2000, month, 0));
        last.setUTCFullYear(year, month, 0);
        const text = `${date}-${last.getUTCDate()}T23:59:59Z`;
        if (instantOf(text)?.[0] !== Date.parse(text) / 1000) throw new Error(text);
        if (instantOf(`${date}-${last.getUTCDate() + 1}T00:00:00Z`) !== null) throw new Error(`${text} + 1`);
      }
    }
  });

  it("keep nine digits of a second and every offset", () => {
    expect(instantOf("1970-01-01T00:00:00.000000001Z")).toEqual([0, 1]);
    expect(instantOf("1970-01-01T00:00:00.5+23:59")).toEqual([-86_340, 500_000_000]);
    expect(instantOf("1970-01-01t00:00:00z")).toEqual([0, 0]);
    expect(instantOf("1970-01-01T00:00:00-00:30")).toEqual([1800, 0]);
  });

  it("take epoch seconds to the microsecond, within the years that a text can write", () => {
    expect(instantOf(1_700_000_000.1)).toEqual([1_700_000_000, 100_000_000]);
    expect(instantOf(-0.25)).toEqual([-1, 750_000_000]);
    expect(instantOf(0.999_999_9)).toEqual([1, 0]);
    expect([Number.NaN, Infinity, 1e12, -1e12].map(instantOf)).toEqual([null, null, null, null]);
  });

  it("are nothing else", () => {
    expect([true, null, [], {}, "now", "2026-01-01"].map(instantOf)).toEqual(Array(6).fill(null));
  });

  it("compare seconds before fractions", () => {
    expect(compareInstants([1, 0], [0, 999_999_999])).toBeGreaterThan(0);
    expect(compareInstants([1, 0], [1, 1])).toBeLessThan(0);
    expect(compareInstants([1, 1], [1, 1])).toBe(0);
  });
});
