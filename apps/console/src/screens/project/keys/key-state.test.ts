import { describe, expect, it } from "@jest/globals";
import { keysSummary, keyState } from "./key-state.ts";

const now = Date.parse("2026-06-01T00:00:00Z");
const until = (day: string) => ({ expire_time: `${day}T00:00:00Z` });

describe("a key", () => {
  it.each([
    [{}, "valid"],
    [until("2026-06-16"), "valid"],
    [until("2026-06-14"), "expiring"],
    [until("2026-06-01"), "expired"],
    [until("2026-05-31"), "expired"],
  ])("%j is %s", (key, expected) => {
    expect(keyState(key, now)).toBe(expected);
  });
});

describe("the keys of an agent", () => {
  it.each([
    [[], { valid: 0, until: undefined }],
    [[until("2026-05-01")], { valid: 0, until: undefined }],
    [[until("2026-08-01"), until("2026-07-01")], { valid: 2, until: "2026-08-01T00:00:00Z" }],
    [[until("2026-08-01"), {}], { valid: 2, until: undefined }],
  ])("%j count as %j", (keys, expected) => {
    expect(keysSummary(keys, now)).toEqual(expected);
  });
});
