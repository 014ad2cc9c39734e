import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { toInstant } from "./instant.ts";

describe("toInstant", () => {
  it.each([
    ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000Z"],
    ["2026-01-02t03:04:05z", "2026-01-02T03:04:05.000Z"],
    ["2026-01-02T03:04:05.1+02:00", "2026-01-02T01:04:05.100Z"],
    ["2026-01-02T03:04:05.123456789-00:30", "2026-01-02T03:34:05.123Z"],
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
  ])("%s is %s", (text, utc) => expect(toInstant(text)).toBe(utc));

  it.each([
    "2026-01-02",
    "2026-01-02T03:04:05",
    "2026-02-30T00:00:00Z",
    "2023-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:00:60Z",
    "2026-01-01T00:00:00+24:00",
    "2026-01-01T00:00:00 Z",
    "9999-12-31T23:59:59-01:00",
    "0000-01-01T00:00:00+01:00",
    "1767225600",
    "",
  ])("%s is no time", (text) => expect(toInstant(text)).toBeUndefined());

  it("gives back what it gave", () => {
    fc.assert(
      fc.property(
        fc.date({
          min: new Date("0001-01-02T00:00:00Z"),
          max: new Date("9999-12-30T00:00:00Z"),
          noInvalidDate: true,
        }),
        (date) => toInstant(date.toISOString()) === date.toISOString(),
      ),
    );
  });
});
