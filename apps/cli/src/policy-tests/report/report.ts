import type { Coverage } from "../coverage/coverage.ts";
import { couldNotRun, type FileResult } from "../run/result.ts";

/** The results of one run. */
export interface Report {
  readonly files: readonly FileResult[];
  readonly coverage: Coverage | undefined;
  /** Required coverage in percent; undefined: none. */
  readonly threshold: number | undefined;
  readonly milliseconds: number;
}

/** Writes a report as one text. */
export type Reporter = (report: Report) => string;

export interface Counts {
  readonly tests: number;
  readonly passed: number;
  readonly failed: number;
  /** Tests and files that could not be run. */
  readonly errors: number;
}

export const countsOf = (files: readonly FileResult[]): Counts => {
  const tests = files.flatMap((file) => file.tests);
  const of = (status: string): number => tests.filter((test) => test.status === status).length;
  const broken = files.filter(({ faults, problem }) => faults.length > 0 || problem !== undefined);
  return {
    tests: tests.length,
    passed: of("passed"),
    failed: of("failed"),
    errors: of("error") + broken.length,
  };
};

/** `1 test`, `2 tests`. */
export const numberOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

const isBelow = ({ coverage, threshold }: Report): boolean =>
  coverage !== undefined && threshold !== undefined && coverage.percent < threshold;

/** The message if the coverage is below the threshold. */
export const belowThreshold = (report: Report): string | undefined =>
  isBelow(report) ? `coverage is below the threshold of ${report.threshold} %` : undefined;

/** 0: passed; 1: a test failed, or the coverage is below the threshold; 2: a test or file could not be run. */
export const exitCodeOf = (report: Report): 0 | 1 | 2 => {
  if (report.files.length === 0 || report.files.some(couldNotRun)) return 2;
  return countsOf(report.files).failed > 0 || isBelow(report) ? 1 : 0;
};
