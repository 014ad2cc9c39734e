import { describe, expect, it } from "@jest/globals";
import { describeSwitches, parseSwitches, takeValue } from "./options.ts";

const known = [
  { name: "fresh", meaning: "empty" },
  { name: "no-demo", meaning: "no demo" },
];

describe("options", () => {
  it("reads switches", () => {
    expect([...parseSwitches(["--no-demo", "--fresh"], known)]).toEqual(["no-demo", "fresh"]);
    expect(parseSwitches([], known).size).toBe(0);
  });

  it("refuses what it does not know, and says what it knows", () => {
    expect(() => parseSwitches(["--frehs"], known)).toThrow(
      "Unknown option --frehs. Known: --fresh, --no-demo.",
    );
    expect(() => parseSwitches(["fresh"], known)).toThrow("Unknown option fresh");
    expect(() => parseSwitches(["--fresh"], [])).toThrow("Unknown option --fresh. There are none here.");
  });

  it("describes them in columns", () => {
    expect(describeSwitches(known)).toEqual(["  --fresh    empty", "  --no-demo  no demo"]);
  });

  it("takes a value out of the arguments", () => {
    expect(takeValue(["--out", "file", "--x"], "out")).toEqual({ value: "file", rest: ["--x"] });
    expect(takeValue(["--x"], "out")).toEqual({ value: undefined, rest: ["--x"] });
    expect(() => takeValue(["--out"], "out")).toThrow("--out needs a value.");
    expect(() => takeValue(["--out", "--x"], "out")).toThrow("--out needs a value.");
  });
});
