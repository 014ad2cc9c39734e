import { describe, expect, it } from "@jest/globals";
import { endOf } from "./lifetimes.ts";

const now = Date.parse("2026-06-01T00:00:00Z");

describe("the end of a new key", () => {
  it.each([
    ["hour", "", "2026-06-01T01:00:00.000Z"],
    ["quarter", "", "2026-08-30T00:00:00.000Z"],
    ["always", "", undefined],
    ["until", "2026-06-10", new Date("2026-06-10T23:59:59").toISOString()],
  ])("%s %s", (kind, until, expected) => {
    expect(endOf({ kind, until }, now)).toBe(expected);
  });

  it("is none for a day that is none", () => {
    expect(() => endOf({ kind: "until", until: "" }, now)).toThrow(RangeError);
  });
});
