import { beforeEach, describe, expect, it } from "@jest/globals";
import { printTo } from "../../../launch/progress.mjs";
import { none } from "./counts.ts";
import { nothingRan } from "./report.ts";
import { Timetable } from "./timetable.ts";

const lines: string[] = [];
printTo((line) => lines.push(line));
beforeEach(() => {
  lines.length = 0;
});

const seconds = String.raw`^ +\d+\.\d s {2}`;

describe("the timetable of a run", () => {
  it("lists what was done, in the order in which it ended, and the whole time", async () => {
    const timetable = new Timetable(Date.now() - 5_000);
    const end = timetable.begin("start of the stores");
    await timetable.counted("checks", async () => ({ ...none, passed: 5 }));
    end();
    timetable.print();
    expect(lines).toEqual([
      "",
      "   5.0 s  Node and packages",
      expect.stringMatching(`${seconds}checks {15}5 passed, 0 failed, 0 skipped$`),
      expect.stringMatching(`${seconds}start of the stores$`),
      expect.stringMatching(/^ +5\.\d s {2}whole run$/),
    ]);
  });

  it("names the five slowest files of all parts", async () => {
    const timetable = new Timetable();
    const files = (...ms: readonly number[]) => ({
      ...nothingRan,
      files: ms.map((each) => ({ file: `${each}.test.ts`, ms: each, passed: 1 })),
    });
    await timetable.tests("unit tests", async () => files(1_000, 7_000, 2_000, 3_000));
    await timetable.tests("integration tests", async () => files(6_000, 4_000));
    timetable.print();
    const after = lines.slice(lines.indexOf("slowest files:") + 1);
    expect(after.map((line) => line.trim().split(/\s+/).at(-1))).toEqual(
      [7_000, 6_000, 4_000, 3_000, 2_000].map((ms) => `${ms}.test.ts`),
    );
  });
});
