import { expect } from "@jest/globals";
import type { Report } from "./fuzz.ts";

/**
 * Holds a report against what was promised: no case differs, none is refused or cannot be run, and enough of them had
 * an outcome at all, so that agreeing means something.
 */
export const judge = (report: Report, leastInteresting: number): void => {
  expect(report.failures.map(({ text }) => text).join("\n\n")).toBe("");
  expect(report.refused).toEqual([]);
  expect(report.failed).toEqual([]);
  expect(report.interesting / report.cases).toBeGreaterThan(leastInteresting);
};
