import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { captureLimits } from "../capture/limits.ts";
import { valueFault } from "./value-fault.ts";

describe("valueFault", () => {
  it.each<[string, unknown]>([
    ["text", "x"],
    ["empty text", ""],
    ["longest text", "𝄞".repeat(captureLimits.string)],
    ["integer", -5],
    ["largest integer", 2 ** 53 - 1],
    ["smallest integer", -(2 ** 53) + 1],
    ["float", 0.5],
    ["boolean", false],
    ["empty list", []],
    ["texts", ["a", "a"]],
    ["integers and floats", [1, 2.5]],
    ["a list of long texts", Array.from({ length: 8 }, () => "𝄞".repeat(32_768))],
    ["longest list", Array.from({ length: captureLimits.listEntries }, () => 1)],
  ])("takes %s", (_, value) => expect(valueFault(value)).toBeUndefined());

  it.each<[string, unknown, string]>([
    ["null", null, "string, number"],
    ["undefined", undefined, "string, number"],
    ["object", {}, "string, number"],
    ["too long a text", "x".repeat(captureLimits.string + 1), "at most 65536 characters"],
    ["half a surrogate pair", "a\udc00", "well-formed Unicode"],
    ["2^53", 2 ** 53, "integer between"],
    ["-2^53", -(2 ** 53), "integer between"],
    ["1e300", 1e300, "integer between"],
    ["infinity", Infinity, "finite number"],
    ["not a number", NaN, "finite number"],
    ["list of lists", [[]], "a list in a list"],
    ["list of kinds", [true, "true"], "entries of one kind"],
    ["list with null", ["a", null], "string, number"],
    [
      "a list of too long texts",
      Array.from({ length: 9 }, () => "x".repeat(32_768)),
      "at most 262144 characters in all entries",
    ],
    [
      "too long a list",
      Array.from({ length: captureLimits.listEntries + 1 }, () => 1),
      "at most 1000 entries",
    ],
  ])("refuses %s", (_, value, fault) => expect(valueFault(value)).toContain(fault));

  it("takes a list exactly when it takes every entry and they are of one kind", () => {
    const entry = fc.oneof(fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null));
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const whole = valueFault(entries) === undefined;
        const kinds = new Set(entries.map((each) => typeof each));
        expect(whole).toBe(kinds.size <= 1 && entries.every((each) => valueFault(each) === undefined));
      }),
    );
  });
});
