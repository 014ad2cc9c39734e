import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type AirfieldShell, openAirfieldShell } from "../../src/fixtures/airfield-shell.ts";

/** docs/recipes/import-from-a-dump.md: the script as it stands, and without a suite. */
const script = readFileSync(
  new URL("../../../examples/recipes/import-from-a-dump.sh", import.meta.url),
  "utf8",
);

let shell: AirfieldShell;
beforeAll(async () => {
  shell = await openAirfieldShell();
}, 120_000);
afterAll(() => shell?.remove());

const run = (variables: Readonly<Record<string, string>> = {}) => {
  writeFileSync(join(shell.folder, "script.sh"), script);
  return shell.run("sh script.sh", variables);
};

describe("import-from-a-dump", () => {
  it("looks at the files and imports nothing without a suite", async () => {
    const { code, output, errors } = await run({ IKG_URL: "http://127.0.0.1:1" });
    expect([code, errors]).toEqual([2, expect.stringMatching(/^error: .*\n$/)]);
    expect(output).toContain("11 rows\n");
  }, 60_000);

  it("leads from tables to a decision", async () => {
    const { code, output, errors } = await run();
    expect([code, errors]).toEqual([0, expect.not.stringContaining("error")]);
    expect(output).toContain("done: 11 rows; 11 nodes and 11 relationships written, 0 lines rejected.\n");
    expect(output).toContain("Pilot/bessie FLY Aircraft/N300: granted\n");
    expect(output).toContain("Pilot/bessie ─RATED_FOR→ Model/dc3 ←IS─ Aircraft/N300");
    const draft = readFileSync(join(shell.folder, "draft.yaml"), "utf8");
    expect(draft).toContain('target: {type: Pilot, external_id: "{instructor_id}"}');
    expect(readFileSync(join(shell.folder, "rejected.ndjson"), "utf8")).toBe("");
  }, 60_000);
});
