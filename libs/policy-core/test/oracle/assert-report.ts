import { expect } from "@jest/globals";
import { enoughCases, type Report } from "./fuzz.ts";

/**
 * Holds a report against what was promised: no case differs, none is refused or cannot be run, and enough of them had
 * an outcome at all, so that agreeing means something.
 */
export const assertReport = (report: Report, leastInteresting: number): void => {
  expect(report.failures.map(({ text }) => text).join("\n\n")).toBe("");
  expect(report.refused).toEqual([]);
  expect(report.failed).toEqual([]);
  // Of fewer cases the share is a matter of chance; `fuzz` goes on until one has an outcome.
  expect(report.interesting).toBeGreaterThan(0);
  if (report.cases >= enoughCases)
    expect(report.interesting / report.cases).toBeGreaterThan(leastInteresting);
};
