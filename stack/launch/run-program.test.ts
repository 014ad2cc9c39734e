import { describe, expect, it } from "@jest/globals";
import { runProgram } from "./run-program.mjs";

describe("running a program", () => {
  it("gives its lines and its code", async () => {
    const lines: string[] = [];
    const script = "console.log('one'); console.error('two'); process.exit(3)";
    const { code, tail } = await runProgram(process.execPath, ["-e", script], {
      onLine: (line) => void lines.push(line),
    });
    expect(code).toBe(3);
    expect(lines.toSorted()).toEqual(["one", "two"]);
    expect(tail).toEqual(lines);
  });

  it("says when there is no such program", async () => {
    const { code, tail } = await runProgram("no-such-program-anywhere", []);
    expect(code).toBe(127);
    expect(tail.join()).toContain("ENOENT");
  });

  it("ends it when asked to", async () => {
    const { code } = await runProgram("sleep", ["30"], { signal: AbortSignal.timeout(50) });
    expect(code).not.toBe(0);
  });
});
