import { describe, expect, it } from "@jest/globals";
import { readFuzzOptions } from "./fuzz-options.ts";

const read = (...args: string[]) => readFuzzOptions(args, () => 7);

describe("options of npm run fuzz", () => {
  it("are a number of cases and a seed, which is drawn where none is given", () => {
    expect(read("--runs", "50", "--seed", "-3")).toEqual({ runs: 50, seed: -3 });
    expect(read("--seed", "0")).toEqual({ runs: 20_000, seed: 0 });
    expect(read()).toEqual({ runs: 20_000, seed: 7 });
    expect(read("--help")).toBeUndefined();
  });

  it.each([
    [["--runs"], "--runs needs a value."],
    [["--runs", "0"], "--runs takes a whole number from 1 to 1000000000, not 0."],
    [["--runs", "many"], "--runs takes a whole number from 1 to 1000000000, not many."],
    [["--runs", "1.5"], "not 1.5."],
    [["--seed", "4294967296"], "--seed takes a whole number from -2147483648 to 2147483647, not 4294967296."],
    [["--seed", "1", "--seed", "2"], "--seed is given twice."],
    [["200"], "Unknown option 200. Known: --runs, --seed, --help."],
    [["--rnus", "5"], "Unknown option --rnus."],
  ])("refuse %j", (args, text) => {
    expect(() => read(...args)).toThrow(text);
  });
});
