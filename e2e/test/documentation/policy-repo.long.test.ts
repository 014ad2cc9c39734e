import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { type AirfieldShell, openAirfieldShell, type ShellRun } from "../../src/fixtures/airfield-shell.ts";

/** The template of a repository for policies: its workflow's steps, run as a script. */
const template = fileURLToPath(new URL("../../../examples/policy-repo/", import.meta.url));

interface Workflow {
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly name?: string; readonly run?: string }[] }>
  >;
}

let shell: AirfieldShell;
let workflow: Workflow;

beforeAll(async () => {
  shell = await openAirfieldShell();
  cpSync(template, join(shell.folder, "repository"), { recursive: true });
  workflow = parse(readFileSync(join(template, ".github/workflows/policies.yaml"), "utf8")) as Workflow;
}, 120_000);
afterAll(() => shell?.remove());

/** The steps of a job; `ikg` is installed here already. */
const runJob = (name: string): Promise<ShellRun> => {
  const steps = workflow.jobs[name]?.steps ?? [];
  const scripts = steps.flatMap(({ name: step, run }) =>
    run === undefined || step === "Install ikg" ? [] : [run],
  );
  expect(scripts.length).toBeGreaterThan(1);
  return shell.run(["set -e", "cd repository", ...scripts].join("\n"), { GITHUB_SHA: "0123abc" });
};

const edit = (from: string, to: string): void => {
  const file = join(shell.folder, "repository/policies/may-fly.yaml");
  const before = readFileSync(file, "utf8");
  expect(before).toContain(from);
  writeFileSync(file, before.replace(from, to));
};

describe("the template of a repository for policies", () => {
  it("looks at a pull request, and applies on the main branch", async () => {
    const looked = await runJob("look");
    expect([looked.code, looked.errors]).toEqual([0, expect.not.stringContaining("error")]);
    expect(looked.output).toMatch(/4 passed|passed/);
    expect(looked.output).toMatch(/\d+ to create, \d+ to change, 0 to delete\./);
    const applied = await runJob("apply");
    expect([applied.code, applied.output]).toEqual([
      0,
      expect.stringMatching(/created, .* changed, 0 deleted/),
    ]);
    const again = await runJob("apply");
    expect([again.code, again.output]).toEqual([0, expect.stringContaining("Nothing to change.")]);
    expect((await shell.run("ikg history --limit 1")).output).toContain("0123abc");
  }, 120_000);

  it("stops at a test that fails", async () => {
    edit("hours >= $min_hours", "hours >= 0 + $min_hours - 50");
    const { code, output } = await runJob("apply");
    expect([code, output]).toEqual([1, expect.stringContaining("louis")]);
    expect((await shell.run("ikg history --limit 1")).output).toContain("0123abc");
    edit("hours >= 0 + $min_hours - 50", "hours >= $min_hours");
  }, 120_000);
});
