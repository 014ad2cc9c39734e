import { spawnSync } from "node:child_process";
import { describe, expect, it } from "@jest/globals";
import { inRepository, repository } from "../../repository.ts";

describe("a run of nothing", () => {
  /** Each ends before it starts anything, but loads a whole program. */
  const runs: readonly (readonly [program: string, args: readonly string[], text: string])[] = [
    ["stack/src/commands/test-k8s.ts", ["libs/graph/src/scheduling"], "Nothing ran"],
    ["stack/src/commands/test-containers.ts", ["stack/src/testing/runner/testing"], "Nothing ran"],
    ["bench/src/command.ts", ["access", "none-of-these"], 'There is no measurement "none-of-these"'],
    ["stack/src/commands/fuzz.ts", ["none-of-these"], "Unknown option none-of-these"],
  ];

  it.each(runs)("fails: %s %j", (program, args, text) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [inRepository(program), ...args], {
      cwd: repository,
      encoding: "utf8",
    });
    expect([status, stdout + stderr]).toEqual([1, expect.stringContaining(text)]);
    expect(stdout).not.toMatch(/[1-9]\d* passed/);
  });
});
