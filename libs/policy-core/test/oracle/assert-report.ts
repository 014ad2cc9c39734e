import { expect } from "@jest/globals";
import type { Report } from "./fuzz.ts";

/** So few cases can all be dull by chance. */
const enough = 60;

/**
 * Holds a report against what was promised: no case differs, none is refused or cannot be run, and enough of them had
 * an outcome at all, so that agreeing means something.
 */
export const assertReport = (report: Report, leastInteresting: number): void => {
  expect(report.failures.map(({ text }) => text).join("\n\n")).toBe("");
  expect(report.refused).toEqual([]);
  expect(report.failed).toEqual([]);
  if (report.cases >= enough) expect(report.interesting / report.cases).toBeGreaterThan(leastInteresting);
};
