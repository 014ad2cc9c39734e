import { afterEach, describe, expect, it } from "@jest/globals";
import { fit, formatStep, printTo, step } from "./progress.mjs";

afterEach(() => printTo((line) => void process.stdout.write(`${line}\n`)));

describe("progress", () => {
  it("aligns the times of steps", () => {
    expect(formatStep(83, "a")).toBe("   0.1 s  a");
    expect(formatStep(123_456, "b")).toBe(" 123.5 s  b");
  });

  it("cuts a line that would wrap", () => {
    expect(fit("abcdef", 20)).toBe("abcdef");
    expect(fit("abcdef", 5)).toBe("abc…");
  });

  it("prints one line for a step that is done and none for one that failed", async () => {
    const lines: string[] = [];
    printTo((line) => void lines.push(line));
    await expect(
      step(
        "Neo4j",
        async () => 7687,
        (port) => `Neo4j on ${port}`,
      ),
    ).resolves.toBe(7687);
    await expect(step("Redis", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(lines).toEqual([expect.stringMatching(/^ +0\.\d s {2}Neo4j on 7687$/)]);
  });
});
