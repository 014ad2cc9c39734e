import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "@jest/globals";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { runPolicyTests, startPolicyTests, testProjects } from "../../src/cli/policy-tests.ts";
import { graph, mayFly, openTestFolder } from "../../src/fixtures/policy-test-files.ts";

const { file, remove } = openTestFolder();
afterAll(remove);

/** Starts `ikg test --watch`. `seen` waits until its output has matched that many times. */
const startWatching = (path: string) => {
  const child = startPolicyTests([path, "--watch"]);
  let output = "";
  child.stdout?.on("data", (text) => void (output += String(text)));
  const seen = async (text: RegExp, times: number): Promise<void> => {
    await eventually(
      () => output,
      (all) => [...all.matchAll(text)].length >= times,
      { withinMs: 60_000, everyMs: 10 },
    );
  };
  return { child, seen };
};

const projectsOf = async (pid: number | undefined): Promise<readonly string[]> =>
  (await testProjects()).filter((name) => name.includes(`-${pid}-`));

const edit = (path: string, from: string, to: string): void =>
  writeFileSync(path, readFileSync(path, "utf8").replace(from, to));

describe("policy tests that are watched", () => {
  it("run again after a change of what they name, and what a killed run left is removed by the next one", async () => {
    const policy = file(
      "watched-policy.yaml",
      mayFly.replace("\n  may-fly:\n", "").replaceAll(/^ {4}/gm, ""),
    );
    const path = file(
      "watched.ikg.yaml",
      `name: watched
${graph}
policies: { may-fly: ./watched-policy.yaml }
tests:
  - Pilot louis may FLY Aircraft N211 {min_hours: 50}
`,
    );
    const { child, seen } = startWatching(path);
    await seen(/1 passed, 0 failed/g, 1);
    edit(path, "min_hours: 50", "min_hours: 100");
    await seen(/0 passed, 1 failed/g, 1);
    edit(policy, "$min_hours", "$min_hours - 50");
    await seen(/1 passed, 0 failed/g, 2);
    // Other files run policy tests at the same time: only the projects of these two runs are counted.
    expect(await projectsOf(child.pid)).not.toEqual([]);
    child.kill("SIGKILL");
    await once(child, "close");

    const { code, pid } = await runPolicyTests(["examples/airfield"]);
    expect(code).toBe(0);
    expect(await projectsOf(child.pid)).toEqual([]);
    expect(await projectsOf(pid)).toEqual([]);
  });

  it.each([
    ["a question", "watched-question.ikg.yaml", ["min_hours: 50", "min_hours: 60"]],
    ["a policy", "watched-pace.ikg.yaml", [">= $min_hours", ">= 0 + $min_hours"]],
  ] as const)("run again within a second after a change of %s", async (_of, name, [one, other]) => {
    const path = file(
      name,
      `name: ${name}
${graph}
policies:${mayFly}
tests:
  - Pilot louis may FLY Aircraft N211 {min_hours: 50}
`,
    );
    const { child, seen } = startWatching(path);
    await seen(/1 passed, 0 failed/g, 1);
    // The fastest of several counts: on a busy machine most are late.
    const times: number[] = [];
    for (let turn = 0; turn < 15 && !times.some((ms) => ms < 1_000); turn++) {
      const began = performance.now();
      if (turn % 2 === 0) edit(path, one, other);
      else edit(path, other, one);
      await seen(/1 passed, 0 failed/g, turn + 2);
      times.push(performance.now() - began);
    }
    child.kill("SIGINT");
    await once(child, "close");
    expect(Math.min(...times)).toBeLessThan(1_000);
  });

  it("remove their projects when they are interrupted", async () => {
    const child = startPolicyTests(["examples/airfield", "--watch"]);
    let errors = "";
    child.stderr?.on("data", (text) => void (errors += String(text)));
    await eventually(
      () => errors,
      (all) => all.includes("Waiting for changes"),
      { withinMs: 60_000, everyMs: 20 },
    );
    child.kill("SIGINT");
    expect(await once(child, "close")).toEqual([0, null]);
    expect(await projectsOf(child.pid)).toEqual([]);
  });
});
