import { describe, expect, it } from "@jest/globals";
import type { FileResult } from "../run/result.ts";
import { junit } from "./junit.ts";
import { exitCodeOf } from "./report.ts";

const broken: FileResult = {
  file: "a.ikg.yaml",
  name: "a",
  tests: [],
  faults: [{ file: "a.ikg.yaml", line: 2, column: 3, message: 'no <b> & \u0000 "c"\n' }],
  warnings: [],
  observations: [],
  world: undefined,
  milliseconds: 12,
};
const report = { files: [broken], coverage: undefined, threshold: undefined, milliseconds: 12 };

describe("JUnit", () => {
  it("has one case with an error for a file that could not be run, and no character that XML refuses", () => {
    const text = junit(report);
    expect(text).toContain('<testsuite name="a" tests="1" failures="0" errors="1" skipped="0" time="0.012">');
    expect(text).toContain("a.ikg.yaml:2:3: no &lt;b&gt; &amp; \uFFFD &quot;c&quot;&#10;</error>");
  });
});

describe("the exit code", () => {
  it("is 2 for what could not be run, and 1 for a coverage that is too low", () => {
    expect(exitCodeOf(report)).toBe(2);
    expect(exitCodeOf({ ...report, files: [] })).toBe(2);
    const passed = { ...report, files: [{ ...broken, faults: [] }] };
    const coverage = { subjects: [], covered: 79, total: 100, percent: 79 };
    expect(exitCodeOf(passed)).toBe(0);
    expect(exitCodeOf({ ...passed, coverage, threshold: 80 })).toBe(1);
    expect(exitCodeOf({ ...passed, coverage, threshold: 79 })).toBe(0);
  });
});
