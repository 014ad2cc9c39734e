import { beforeEach, describe, expect, it } from "@jest/globals";
import { checks, programFile } from "./checks.ts";
import { runEndToEnd } from "./end-to-end.ts";
import { add, formatCounts, none, one } from "./counts.ts";
import { nothingRan, summarize } from "./report.ts";
import { asPattern, findTestFiles, select } from "./selection.ts";
import { retryFailed } from "./retry.ts";

const files = [
  "e2e/corpus.test.ts",
  "libs/graph/src/read.test.ts",
  "libs/policy-core/test/work/work.alone.test.ts",
  "services/ciq/test/execute.test.ts",
  "services/ciq/test/killed.long.test.ts",
];

describe("npm test -- NAME", () => {
  it("runs everything without a name", () => {
    const all = select(undefined, files, false);
    expect(all.checks).toBe(checks);
    expect(all.e2e).toEqual(["e2e/corpus.test.ts"]);
    expect(all.files).toEqual(["services/ciq/test/execute.test.ts"]);
    expect(all.unit).toEqual(["libs/graph/src/read.test.ts"]);
    expect(all.alone).toEqual(["libs/policy-core/test/work/work.alone.test.ts"]);
    expect(all.testName).toBeUndefined();
  });

  it("takes the name of a check, a part of a path, or else a part of tests' names", () => {
    expect(select("lint", files, false)).toMatchObject({ checks: [{ name: "lint" }], files: [], e2e: [] });
    expect(select("CIQ", files, false)).toMatchObject({
      checks: [],
      files: ["services/ciq/test/execute.test.ts"],
      e2e: [],
    });
    expect(select("e2e/", files, false)).toMatchObject({ files: [], e2e: ["e2e/corpus.test.ts"] });
    const byName = select("grants an owner", files, false);
    expect(byName.testName?.test("evaluation Grants an owner")).toBe(true);
    expect(byName.files).toHaveLength(1);
  });

  it("leaves long files to the long run, unless nothing else has the name", () => {
    const long = "services/ciq/test/killed.long.test.ts";
    expect(select(undefined, files, false)).toMatchObject({ leftOut: 1 });
    expect(select("ciq/", files, false)).toMatchObject({
      files: ["services/ciq/test/execute.test.ts"],
      leftOut: 1,
    });
    expect(select("killed", files, false)).toMatchObject({ files: [long], leftOut: 0 });
    expect(select(undefined, files, true).files).toContain(long);
    expect(select(undefined, files, true).leftOut).toBe(0);
  });

  it("runs what wants the databases for itself apart from the rest, however it is asked for", () => {
    const alone = ["libs/policy-core/test/work/work.alone.test.ts"];
    expect(select("work", files, false)).toMatchObject({ checks: [], alone, files: [], e2e: [] });
    expect(select("libs/", files, false)).toMatchObject({
      alone,
      unit: ["libs/graph/src/read.test.ts"],
      e2e: [],
    });
    expect(select("stays flat", files, false)).toMatchObject({ alone, e2e: ["e2e/corpus.test.ts"] });
    expect(select("lint", files, false).alone).toEqual([]);
  });

  it("takes what is no regular expression as text", () => {
    expect(asPattern("a(b").test("xa(by")).toBe(true);
  });

  it("finds the tests of this repository, and none of its packages", () => {
    const found = findTestFiles();
    expect(found).toContain("stack/src/testing/runner/testing.test.ts");
    expect(found.some((file) => file.includes("node_modules"))).toBe(false);
  });
});

describe("the last line", () => {
  it("adds checks and tests up", () => {
    const counts = add(one(true), one(false), { passed: 3, failed: 0, skipped: 2 });
    expect(formatCounts(counts)).toBe("4 passed, 1 failed, 2 skipped");
    expect(formatCounts(add())).toBe(formatCounts(none));
  });

  it("names what failed, and what was skipped", () => {
    const report = {
      file: "e2e/a.test.ts",
      ms: 1,
      tests: [
        { name: "grants", status: "failed" },
        { name: "denies", status: "passed" },
        { name: "corpus: no folder", status: "skipped" },
      ],
    } as const;
    expect(summarize([report, { file: "e2e/b.test.ts", ms: 2, tests: [] }])).toMatchObject({
      passed: 1,
      failed: 1,
      skipped: 1,
      failedFiles: ["e2e/a.test.ts"],
      failedTests: ["e2e/a.test.ts: grants"],
      skippedNames: ["e2e/a.test.ts: corpus: no folder"],
      files: [
        { file: "e2e/a.test.ts", ms: 1, passed: 1 },
        { file: "e2e/b.test.ts", ms: 2, passed: 0 },
      ],
    });
  });
});

describe("files that failed beside others", () => {
  const failed = (...failedFiles: string[]) => ({
    ...nothingRan,
    passed: 10,
    failed: failedFiles.length,
    failedFiles,
    failedTests: failedFiles.map((file) => `${file}: does`),
    files: ["other", ...failedFiles].map((file) => ({ file, ms: 1, passed: file === "other" ? 8 : 1 })),
  });
  const ran: (readonly string[])[] = [];
  const then = (second: typeof nothingRan) => (files: readonly string[]) => {
    ran.push(files);
    return Promise.resolve(second);
  };
  beforeEach(() => {
    ran.length = 0;
  });

  it("are run once more by themselves, and are what they are then", async () => {
    const passed = { ...nothingRan, passed: 5 };
    expect(await retryFailed(failed("a", "b"), then(passed))).toMatchObject({
      passed: 13,
      failed: 0,
      failedTests: [],
      flakyTests: ["a: does", "b: does"],
    });
    expect(ran).toEqual([["a", "b"]]);
    expect(await retryFailed(failed("a", "b"), then(failed("b")))).toMatchObject({
      failed: 1,
      failedFiles: ["b"],
      failedTests: ["b: does"],
      flakyTests: ["a: does"],
    });
    const withoutReport = { ...nothingRan, failed: 1 };
    expect(await retryFailed(failed("a"), then(withoutReport))).toMatchObject({ failed: 1, flakyTests: [] });
  });

  it("are not when there are none or many of them, or when a run ended without a report", async () => {
    for (const first of [
      nothingRan,
      failed("a", "b", "c", "d", "e"),
      { ...nothingRan, failed: 1, failedFiles: [] },
    ])
      expect(await retryFailed(first, then(nothingRan))).toBe(first);
    expect(ran).toEqual([]);
  });
});

describe("end-to-end tests", () => {
  it("run beside each other, and after them one at a time those that measure", async () => {
    const runs: (readonly [readonly string[], number])[] = [];
    const run = (chosen: readonly string[], processes: number) => {
      runs.push([chosen, processes]);
      return Promise.resolve({ ...nothingRan, passed: chosen.length });
    };
    const measured = "e2e/test/neighbours/attacks.alone.test.ts";
    expect(await runEndToEnd([measured, "e2e/a.test.ts", "e2e/b.test.ts"], run)).toMatchObject({ passed: 3 });
    expect(runs).toEqual([
      [["e2e/a.test.ts", "e2e/b.test.ts"], 2],
      [[measured], 1],
    ]);
    runs.length = 0;
    await runEndToEnd([measured], run);
    expect(runs).toEqual([[[measured], 1]]);
  });
});

describe("the checks", () => {
  it("are programs of installed packages", () => {
    for (const check of checks) expect(programFile(check.package, check.program)).toContain(check.package);
  });
});
