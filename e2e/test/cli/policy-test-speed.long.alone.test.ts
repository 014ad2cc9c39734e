import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "@jest/globals";
import { runPolicyTests } from "../../src/cli/policy-tests.ts";

const folder = mkdtempSync(join(tmpdir(), "ikg-policy-tests-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const limitMs = 3_000;
const tries = 5;

describe("fifty assertions of one file", () => {
  it("take less than three seconds, from reading the file to the removal of its project", async () => {
    const example = fileURLToPath(new URL("../../../examples/airfield", import.meta.url));
    const [world = ""] = readFileSync(join(example, "airfield.ikg.yaml"), "utf8").split("\ntests:\n");
    const lines = Array.from({ length: 50 }, (_, index) =>
      index % 2 === 0
        ? `  - Pilot amelia may FLY Aircraft N211 {min_hours: ${index + 100}}`
        : `  - Pilot louis may not FLY Aircraft N211 {min_hours: ${index + 100}}`,
    );
    const path = join(folder, "fifty.ikg.yaml");
    writeFileSync(path, `${world.replaceAll(": ./", `: ${example}/`)}\ntests:\n${lines.join("\n")}\n`);
    const times: number[] = [];
    // The first answers of a suite are slow, and so is a machine with other work.
    while (times.length < tries && Math.min(...times, Infinity) >= limitMs) {
      const { code, output } = await runPolicyTests([path, "--reporter", "json"]);
      const report = JSON.parse(output) as { passed: number; milliseconds: number };
      expect([code, report.passed]).toEqual([0, 50]);
      times.push(report.milliseconds);
    }
    process.stdout.write(`fifty assertions: ${times.join(", ")} ms\n`);
    expect(Math.min(...times)).toBeLessThan(limitMs);
  });
});
