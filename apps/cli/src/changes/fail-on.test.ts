import { describe, expect, it } from "@jest/globals";
import type { SimulatedQuestion } from "@ikg/client";
import { exceeded, thresholds } from "./fail-on.ts";

const amount = (count: number, high?: number): SimulatedQuestion["lost"] =>
  high === undefined
    ? { count, exact: true, examples: [] }
    : { count, exact: false, low: 0, high, examples: [] };

const question = (gained: number, lost: number, high?: number): SimulatedQuestion => ({
  subject_type: "Pilot",
  action: "FLY",
  resource_type: "Aircraft",
  gained: amount(gained, high),
  lost: amount(lost),
  subjects: { examined: 1, of: 1 },
  method: "scan",
});

describe("--fail-on", () => {
  it("fails above a number, 0 where there is none, over all questions", () => {
    const lost = thresholds("lost,gained>100");
    expect(exceeded([question(60, 0), question(40, 0)], lost)).toEqual([]);
    expect(exceeded([question(60, 0), question(41, 1)], lost)).toEqual([
      "1 lost, more than 0",
      "101 gained, more than 100",
    ]);
  });

  it("takes the upper end of an estimate", () =>
    expect(exceeded([question(1, 0, 200)], thresholds("gained>100"))).toEqual(["200 gained, more than 100"]));

  it("takes nothing else", () => {
    for (const text of ["", "won", "lost>", "lost>x", "lost,,gained", "lost>=1"])
      expect(() => thresholds(text)).toThrow("lost, gained");
  });
});
