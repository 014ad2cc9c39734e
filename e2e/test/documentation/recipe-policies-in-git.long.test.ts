import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type AirfieldShell, openAirfieldShell } from "../../src/fixtures/airfield-shell.ts";

/** docs/recipes/policies-in-git.md: the script as it stands, with an edit that takes access, and without a suite. */
const script = readFileSync(new URL("../../../examples/recipes/policies-in-git.sh", import.meta.url), "utf8");

let shell: AirfieldShell;
beforeAll(async () => {
  shell = await openAirfieldShell();
}, 120_000);
afterAll(() => shell?.remove());

const run = (text: string, variables: Readonly<Record<string, string>> = {}) => {
  writeFileSync(join(shell.folder, "script.sh"), text);
  return shell.run("sh script.sh", variables);
};
const policyOf = async (): Promise<string> => (await shell.project.admin.policies.get("may-fly")).policy;

describe("policies-in-git", () => {
  it("stops where a subject would lose access", async () => {
    const loses = script.replace("hours > /", "hours > 20 * /");
    expect(loses).not.toBe(script);
    const { code, output } = await run(loses);
    expect([code, output]).toEqual([1, expect.stringContaining("Pilot/amelia")]);
    expect(await policyOf()).toContain("hours >= $min_hours");
  }, 60_000);

  it.each([
    ["a suite", { IKG_URL: "http://127.0.0.1:1" }],
    ["a token that is valid", { IKG_TOKEN: "wrong" }],
  ])(
    "changes nothing without %s",
    async (_, variables) => {
      const { code, errors } = await run(script, variables);
      expect([code, errors]).toEqual([2, expect.stringMatching(/^error: .*\n$/)]);
      expect(await policyOf()).toContain("hours >= $min_hours");
    },
    60_000,
  );

  it("leads from a file to the project", async () => {
    const { code, output, errors } = await run(script);
    expect([code, errors]).toEqual([0, expect.not.stringContaining("error")]);
    expect(output).toContain("subject.property.hours > $min_hours");
    expect(await policyOf()).toContain("hours > $min_hours");
    expect((await shell.run("ikg history --limit 1")).output).toContain("More than the hours");
  }, 60_000);
});
