import { describe, expect, it } from "@jest/globals";
import { type Figures, linesOf } from "./report.ts";

const summary = { p50: 1, p99: 2, throughput: 1_000 };

const figures = (ratio: number, verification: number, list: number): Figures => ({
  // Every way alike: only the ratio counts.
  throughput: { summary: () => summary, ratio: () => ratio },
  verification: { introspection: 0.1, bare: 0.1, ratio: verification },
  list: { list, rawDriver: 10 },
});

const held = (given: Figures): (boolean | undefined)[] => linesOf(given).map(({ met }) => met);

describe("the targets of authentication", () => {
  it("hold at the target itself, and the list's below it", () => {
    expect(held(figures(0.7, 1.3, 99))).toEqual([true, true, true, true]);
    expect(held(figures(0.55, 1.31, 100))).toEqual([false, true, false, false]);
    expect(held(figures(0.54, 1, 1))).toEqual([false, false, true, true]);
  });
});
