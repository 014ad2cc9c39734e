import { existsSync, globSync, readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { printTo } from "../../../launch/progress.mjs";
import { inRepository, repository } from "../../repository.ts";
import { none, one } from "./counts.ts";
import { flakyList } from "./flaky-list.ts";
import { nothingRan, summarize } from "./report.ts";
import {
  addTallies,
  requestedCounts,
  conclude,
  emptyTally,
  additionalCounts,
  nothingMatched,
  summaryCounts,
} from "./tally.ts";

const lines: string[] = [];
beforeEach(() => {
  lines.length = 0;
  printTo((line: string) => void lines.push(line));
});

/** A file that has no test of the name that was asked for. */
const leftOut = summarize([{ file: "e2e/a.test.ts", ms: 1, tests: [] }]);

/** @param isLong as IKG_LONG has it */
const inTier = (isLong: string, work: () => void): void => {
  const before = process.env["IKG_LONG"];
  process.env["IKG_LONG"] = isLong;
  try {
    work();
  } finally {
    if (before === undefined) delete process.env["IKG_LONG"];
    else process.env["IKG_LONG"] = before;
  }
};

describe("the end of a run", () => {
  it("is a failure when nothing ran that was asked for, whatever else was looked at", () => {
    const additional = additionalCounts(one(true), one(true));
    const skipped = summaryCounts({ ...nothingRan, skipped: 3 });
    for (const tally of [
      emptyTally,
      additional,
      addTallies(summaryCounts(leftOut), additional),
      addTallies(skipped, additional),
    ])
      expect(conclude(tally, "nothing ran")).toBe(1);
    expect(lines.slice(-2)).toEqual(["nothing ran", "0 passed, 0 failed, 3 skipped"]);
    expect(lines.join()).not.toMatch(/[1-9]\d* passed/);
  });

  it("is a success when something ran and nothing failed", () => {
    expect(conclude(addTallies(requestedCounts(one(true)), additionalCounts(one(true))), "nothing ran")).toBe(
      0,
    );
    expect(lines).toEqual(["2 passed, 0 failed, 0 skipped"]);
  });

  it.each([
    ["what was asked for", addTallies(requestedCounts(one(false)), requestedCounts(one(true)))],
    ["what was looked at in addition", addTallies(requestedCounts(one(true)), additionalCounts(one(false)))],
  ])("is a failure when %s failed", (_, tally) => {
    expect(conclude(tally, "nothing ran")).toBe(1);
    expect(lines).toEqual(["1 passed, 1 failed, 0 skipped"]);
  });

  it("names flaky tests in its last lines, and says how many of the passed ones they are", () => {
    const flakyTests = ["e2e/a.test.ts: grants", "e2e/b.test.ts"];
    const tally = summaryCounts({ ...nothingRan, ...none, passed: 5, flakyTests });
    // A long run fails for them.
    inTier("", () => expect(conclude(tally, "nothing ran")).toBe(0));
    expect(lines).toEqual([
      "flaky: e2e/a.test.ts: grants: failed, and passed when it was repeated; not in docs/testing.md",
      "flaky: e2e/b.test.ts: failed, and passed when it was repeated; not in docs/testing.md",
      "5 passed, 0 failed, 0 skipped, 2 of the passed ones flaky",
    ]);
    inTier("1", () => expect(conclude(tally, "nothing ran")).toBe(1));
  });

  it("says what a person may have meant by several names", () => {
    expect(nothingMatched(["A", "B"], "test")).toContain('named like "A B", which is one name');
    expect(nothingMatched(["A", "B"], "test")).toContain('"A|B"');
    expect(nothingMatched(["A"], "test")).toContain('no test is named like "A"');
  });
});

describe("every runner", () => {
  const source = (command: string): string =>
    readFileSync(inRepository("stack", "src", "commands", `${command}.ts`), "utf8");

  it.each(["test", "test-containers", "test-k8s", "fuzz"])("%s ends as every run of tests", (command) => {
    expect(source(command)).toMatch(/return conclude\(|const code = conclude\([\s\S]*return code;/);
  });

  it("that counts is one of these", () => {
    const counting = globSync("stack/src/commands/*.ts", { cwd: repository }).filter((file) =>
      /formatCounts|failed > 0/.test(readFileSync(inRepository(file), "utf8")),
    );
    // It takes no name, and runs every check.
    expect(counting).toEqual(["stack/src/commands/check.ts"]);
  });
});

/** Shrinks with every test that is mended, and never grows: a flaky test is mended and not listed. */
const maxFlaky = 0;

describe("the list of flaky tests", () => {
  it("is read from its page", () => {
    const page = [
      "# Tests",
      "",
      "## Flaky tests",
      "",
      "| file | test | what it assumes |",
      "| --- | --- | --- |",
      "| `e2e/a.test.ts` | `grants` | that a second is enough |",
      "",
      "## More",
      "",
      "| a | b |",
      "| --- | --- |",
      "| c | d |",
    ];
    expect(flakyList(page.join("\n"))).toEqual([{ file: "e2e/a.test.ts", test: "grants" }]);
  });

  it("does not grow, and names files that are there", () => {
    expect(flakyList().length).toBeLessThanOrEqual(maxFlaky);
    expect(flakyList().filter(({ file }) => !existsSync(inRepository(file)))).toEqual([]);
  });
});
