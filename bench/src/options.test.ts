import { describe, expect, it } from "@jest/globals";
import { asksForHelp, help, namesOf, readOptions } from "./options.ts";

describe("arguments", () => {
  it("are names and options with their values", () => {
    const args = ["access", "--size", "L", "capture", "--freshness", "10000"];
    expect(namesOf(args)).toEqual(["access", "capture"]);
    const usual = {
      largest: "M",
      freshness: 1_000,
      soakMinutes: 0,
      nodes: 100_000,
      records: 1_000_000,
      rows: 30_000,
      seconds: 6,
      load: undefined,
    };
    expect(readOptions(args)).toEqual({ ...usual, largest: "L", freshness: 10_000 });
    expect(readOptions([])).toEqual(usual);
    expect(readOptions(["--seconds", "20", "--load", "imports"])).toEqual({
      ...usual,
      seconds: 20,
      load: "imports",
    });
  });

  it.each([
    [["--sice", "L"]],
    [["--size"]],
    [["--size", "XL"]],
    [["--freshness", "0"]],
    [["--seconds", "0"]],
    [["--load", "none"]],
  ])("%j are refused", (args) => expect(() => readOptions(args)).toThrow(/Unknown option|expected/));

  it("may ask for help", () => {
    expect(asksForHelp(["access", "--help"])).toBe(true);
    expect(help(["access"]).join("\n")).toContain("--size");
  });
});
