import { appendFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { none } from "./counts.ts";
import type { FileReport } from "./report.ts";
import {
  beginRecord,
  continueRecord,
  endRecord,
  recordReport,
  reportsIn,
  reportsVariable,
  without,
} from "./run-record.ts";
import { nothingSelected } from "./selection.ts";
import { emptyTally } from "./tally.ts";

const run = { commit: "c".repeat(40), seed: "7" };
const reportsBefore = process.env[reportsVariable];
let root: string;
let folder: string;

beforeAll(() => void (root = mkdtempSync(join(tmpdir(), "ikg-run-record-"))));
afterAll(() => rmSync(root, { recursive: true }));
beforeEach(() => {
  folder = join(root, String(process.hrtime.bigint()));
  process.env[reportsVariable] = reportsIn(folder);
});
afterEach(() => {
  if (reportsBefore === undefined) delete process.env[reportsVariable];
  else process.env[reportsVariable] = reportsBefore;
});

const isUnit = (file: string): boolean => file.startsWith("libs/");

/** @param changed since the commit of the record */
const readRecord = (commit: string | undefined, changed: readonly string[] = []) =>
  continueRecord(commit, () => changed, isUnit, folder);

const report = (file: string, status: "passed" | "failed" = "passed"): FileReport => ({
  file,
  ms: 1,
  tests: [{ name: "does", status }],
});

describe("a long run that was interrupted", () => {
  it("is continued on its commit with its seed, after the files that had ended", () => {
    beginRecord(run, folder);
    recordReport(report("e2e/a.test.ts"));
    recordReport(report("libs/b.test.ts"));
    const { seed, reports } = readRecord(run.commit);
    expect({ seed, reports }).toEqual({
      seed: "7",
      reports: [report("e2e/a.test.ts"), report("libs/b.test.ts")],
    });
    const selection = {
      ...nothingSelected,
      unit: ["libs/b.test.ts"],
      e2e: ["e2e/a.test.ts", "e2e/c.test.ts"],
    };
    expect(
      without(
        selection,
        reports.map(({ file }) => file),
      ),
    ).toEqual({ ...nothingSelected, e2e: ["e2e/c.test.ts"] });
  });

  it("keeps the failure of a file that passed when it was repeated", () => {
    beginRecord(run, folder);
    recordReport(report("a", "failed"));
    recordReport(report("a"));
    expect(readRecord(run.commit).reports).toEqual([report("a", "failed")]);
  });

  it("runs a file again whose report was cut, and goes on after it", () => {
    beginRecord(run, folder);
    recordReport(report("a"));
    appendFileSync(reportsIn(folder), JSON.stringify(report("b")).slice(0, 20));
    recordReport(report("c"));
    recordReport(report("d"));
    expect(readRecord(run.commit).reports.map(({ file }) => file)).toEqual(["a", "d"]);
  });

  it("is not continued where more than tests changed, on changed files, or when it passed", () => {
    beginRecord(run, folder);
    expect(() => readRecord("d".repeat(40), ["e2e/a.test.ts", "e2e/src/requests/send.ts"])).toThrow(
      /is of cccccccccccc, and this is dddddddddddd\. More than test files changed:\n {2}e2e\/src\/requests\/send\.ts\n/,
    );
    expect(() => readRecord(undefined)).toThrow(/and the working tree has changes/);
    recordReport(report("a"));
    endRecord(emptyTally, folder);
    expect(existsSync(folder)).toBe(false);
    expect(() => readRecord(run.commit)).toThrow(/^No long run was interrupted here/);
  });

  it("is continued on a commit that changes tests alone, which run again as unit tests do", () => {
    beginRecord(run, folder);
    recordReport(report("e2e/a.test.ts", "failed"));
    recordReport(report("e2e/b.test.ts"));
    recordReport(report("libs/c.test.ts"));
    const next = { commit: "d".repeat(40), firstCommit: run.commit, seed: run.seed };
    const kept = { ...next, reports: [report("e2e/b.test.ts")] };
    expect(readRecord(next.commit, ["e2e/a.test.ts"])).toEqual(kept);
    // Interrupted once more.
    expect(readRecord(next.commit)).toEqual(kept);
    const last = "e".repeat(40);
    expect(readRecord(last, ["e2e/d.test.ts"])).toEqual({ ...kept, commit: last });
  });

  it.each([
    ["tests", { requested: { ...none, failed: 1 } }, true],
    ["flaky tests", { flaky: ["a: does"] }, true],
    ["a check and tests", { requested: { ...none, failed: 2 } }, false],
    [
      "a look at logs and tests",
      { requested: { ...none, failed: 1 }, additional: { ...none, failed: 1 } },
      false,
    ],
  ])("that failed by %s is kept, or not", (_, tally, isKept) => {
    beginRecord(run, folder);
    recordReport(report("a", "failed"));
    endRecord({ ...emptyTally, ...tally }, folder);
    expect(existsSync(folder)).toBe(isKept);
  });

  it("leaves nothing of a former one", () => {
    beginRecord(run, folder);
    recordReport(report("a"));
    beginRecord({ ...run, seed: "8" }, folder);
    expect(readRecord(run.commit)).toEqual({ ...run, seed: "8", reports: [] });
  });
});

describe("other runs", () => {
  it("record nothing", () => {
    process.env[reportsVariable] = "";
    recordReport(report("a"));
    expect(existsSync(folder)).toBe(false);
  });
});
