import { describe, expect, it } from "@jest/globals";
import { partsHelp, printedHelp } from "./help.ts";

describe("help of test commands", () => {
  const lines = partsHelp("test:k8s", ["store", "memory"]);

  it("is printed where it is asked for", () => {
    expect(printedHelp(["--help"], lines)).toBe(true);
    expect(printedHelp(["store", "-h"], lines)).toBe(true);
    expect(lines.join("\n")).toContain("store, memory");
  });

  it("leaves names of tests and parts alone", () => {
    for (const words of [[], ["store"], ["grants an owner"], ["libs/policy-core"], ["\\-\\-prune"]])
      expect(printedHelp(words, lines)).toBe(false);
  });

  it("refuses other options instead of looking for tests of that name", () => {
    expect(() => printedHelp(["--watch"], lines)).toThrow("Unknown option --watch. Known: --help.");
    expect(() => printedHelp(["--watch"], lines, ["--continue"])).toThrow("Known: --help, --continue.");
    expect(printedHelp(["--continue"], lines, ["--continue"])).toBe(false);
  });
});
