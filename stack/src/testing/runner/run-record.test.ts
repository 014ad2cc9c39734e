import { appendFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { FileReport } from "./report.ts";
import {
  beginRecord,
  readRecord,
  recordReport,
  removeRecord,
  reportsIn,
  reportsVariable,
  without,
} from "./run-record.ts";
import { nothingSelected } from "./selection.ts";

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
    const { seed, reports } = readRecord(run.commit, folder);
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
    expect(readRecord(run.commit, folder).reports).toEqual([report("a", "failed")]);
  });

  it("runs a file again whose report was cut, and goes on after it", () => {
    beginRecord(run, folder);
    recordReport(report("a"));
    appendFileSync(reportsIn(folder), JSON.stringify(report("b")).slice(0, 20));
    recordReport(report("c"));
    recordReport(report("d"));
    expect(readRecord(run.commit, folder).reports.map(({ file }) => file)).toEqual(["a", "d"]);
  });

  it("is not continued on another commit, on changed files, or when it has ended", () => {
    beginRecord(run, folder);
    expect(() => readRecord("d".repeat(40), folder)).toThrow(/is of cccccccccccc, and this is dddddddddddd:/);
    expect(() => readRecord(undefined, folder)).toThrow(/and the working tree has changes/);
    removeRecord(folder);
    expect(existsSync(folder)).toBe(false);
    expect(() => readRecord(run.commit, folder)).toThrow(/^No long run was interrupted here/);
  });

  it("leaves nothing of a former one", () => {
    beginRecord(run, folder);
    recordReport(report("a"));
    beginRecord({ ...run, seed: "8" }, folder);
    expect(readRecord(run.commit, folder)).toEqual({ ...run, seed: "8", reports: [] });
  });
});

describe("other runs", () => {
  it("record nothing", () => {
    process.env[reportsVariable] = "";
    recordReport(report("a"));
    expect(existsSync(folder)).toBe(false);
  });
});
