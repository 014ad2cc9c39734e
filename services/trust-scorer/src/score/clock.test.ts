import { describe, expect, it } from "@jest/globals";
import { defaultConstants, type ScoreConstants } from "./constants.ts";
import { freshnessOf } from "./freshness.ts";
import { originOf } from "./origin.ts";
import { roundScore } from "./round.ts";
import { validity, validityTime } from "./validity.ts";
import { verificationOf } from "./verification.ts";

const at = (text: string): number => Date.parse(text);
const now = at("2026-06-01T00:00:00Z");

describe("verification at the boundaries", () => {
  it.each([
    ["full to the millisecond", "2025-06-01T00:00:00.000Z", 1],
    ["a second past a year", "2025-05-31T23:59:59.000Z", 1 - 1 / 86_400 / 365],
    ["a second before two years", "2024-06-01T00:00:01.000Z", 1 / 86_400 / 365],
    ["two years", "2024-06-01T00:00:00.000Z", 0],
    ["older", "2001-01-01T00:00:00Z", 0],
    ["5 minutes ahead", "2026-06-01T00:05:00.000Z", 1],
    ["a millisecond further ahead", "2026-06-01T00:05:00.001Z", 0],
    ["an offset that puts it at the boundary", "2025-06-01T02:00:00+02:00", 1],
    ["no offset", "2026-05-10T08:00:00", 0],
    ["a day alone", "2026-05-10", 0],
    ["a day that no calendar has", "2026-02-30T00:00:00Z", 0],
    ["a leap day", "2024-02-29T00:00:00Z", 0],
    ["a leap day of a year without one", "2025-02-29T00:00:00Z", 0],
  ])("%s: %s", (_, time, score) => {
    expect(verificationOf(time, now, defaultConstants)).toBeCloseTo(score, 10);
  });

  it.each([[undefined], [null], [5], [["2026-05-10T08:00:00Z"]], [""]])("%j is no time", (time) => {
    expect(verificationOf(time, now, defaultConstants)).toBe(0);
  });

  it("counts days across a leap day", () => {
    const leap = at("2024-03-01T00:00:00Z");
    // 366 days before, as 2024 has a 29th of February.
    expect(verificationOf("2023-03-01T00:00:00Z", leap, defaultConstants)).toBeCloseTo(1 - 1 / 365, 10);
    expect(verificationOf("2023-03-02T00:00:00Z", leap, defaultConstants)).toBe(1);
  });

  it("follows its settings", () => {
    const constants: ScoreConstants = {
      ...defaultConstants,
      verificationFullDays: 10,
      verificationZeroDays: 30,
    };
    const ages = [10, 20, 30].map((days) => new Date(now - days * 86_400_000).toISOString());
    expect(ages.map((time) => verificationOf(time, now, constants))).toEqual([1, 0.5, 0]);
    const sudden = { ...constants, verificationZeroDays: 10 };
    expect(ages.map((time) => verificationOf(time, now, sudden))).toEqual([1, 0, 0]);
  });
});

describe("freshness", () => {
  it.each([
    ["2026-06-01T00:00:00.000Z", 1],
    ["2026-06-02T00:00:00.000Z", 1],
    ["2026-06-01T02:00:00+02:00", 1],
    ["2025-12-03T00:00:00Z", 0.5],
    ["2026-06-01", 0],
    ["yesterday", 0],
    [undefined, 0],
  ])("of %j is %d", (time, score) => {
    expect(freshnessOf(time, now, defaultConstants)).toBeCloseTo(score, 10);
  });

  it("follows its half-life", () => {
    const constants = { ...defaultConstants, freshnessHalfLifeDays: 30 };
    expect(roundScore(freshnessOf("2026-05-02T00:00:00Z", now, constants))).toBe(0.5);
  });
});

describe("a date of validity", () => {
  it.each([
    ["2026-06-01", "start", "2026-06-01T00:00:00.000Z"],
    ["2026-06-01", "end", "2026-06-01T23:59:59.999Z"],
    ["2024-02-29", "end", "2024-02-29T23:59:59.999Z"],
    ["2026-06-01T12:00:00+02:00", "end", "2026-06-01T10:00:00.000Z"],
    ["2026-06-01T12:00:00.5Z", "start", "2026-06-01T12:00:00.500Z"],
    [1_780_272_000, "end", "2026-06-01T00:00:00.000Z"],
    [1_780_272_000_000, "end", "2026-06-01T00:00:00.000Z"],
    [99_999_999_999, "start", "5138-11-16T09:46:39.000Z"],
    [100_000_000_000, "start", "1973-03-03T09:46:40.000Z"],
    [0, "start", "1970-01-01T00:00:00.000Z"],
  ] as const)("%j as %s is %s", (value, end, time) => {
    expect(validityTime(value, end)).toBe(at(time));
  });

  it.each([
    ["2026-02-29"],
    ["2026-13-01"],
    ["2026-06-01T12:00:00"],
    [" 2026-06-01"],
    ["soon"],
    [1.5],
    [true],
    [[]],
    ["26-06-01"],
  ])("%j is none", (value) => {
    expect(validityTime(value, "end")).toBeUndefined();
  });
});

describe("validity", () => {
  const of = (values: Readonly<Record<string, unknown>>, clock = now): number =>
    validity(
      {
        createTime: undefined,
        updateTime: undefined,
        properties: Object.entries(values).map(([name, value]) => ({
          name,
          value,
          verifiedTime: undefined,
          source: undefined,
          updateTime: undefined,
        })),
      },
      clock,
      defaultConstants,
    );

  it.each([
    ["the last millisecond of the last day", { valid_until: "2026-05-31" }, "2026-05-31T23:59:59.999Z", 1],
    ["the first one after it", { valid_until: "2026-05-31" }, "2026-06-01T00:00:00.000Z", 0],
    ["the first millisecond of the first day", { notBefore: "2026-06-01" }, "2026-06-01T00:00:00.000Z", 1],
    ["the last one before it", { notBefore: "2026-06-01" }, "2026-05-31T23:59:59.999Z", 0],
    ["an end to the millisecond", { expiry: "2026-06-01T00:00:00Z" }, "2026-06-01T00:00:00.000Z", 1],
    ["one more", { expiry: "2026-06-01T00:00:00Z" }, "2026-06-01T00:00:00.001Z", 0],
    ["a leap day", { "Valid Until": "2024-02-29" }, "2024-02-29T12:00:00Z", 1],
  ])("%s", (_, values, clock, score) => {
    expect(of(values, at(clock))).toBe(score);
  });

  it.each([
    ["the latest start counts", { valid_from: "2026-01-01", issued_at: "2026-07-01" }, 0],
    ["the earliest end counts", { valid_to: "2030-01-01", expires: "2026-01-01" }, 0],
    ["one that cannot be read spoils the others", { valid_to: "2030-01-01", expires: "never" }, 0],
    ["an empty one is absent", { valid_to: "", name: "x" }, 0.5],
    ["one that a resolver holds is absent", { valid_to: undefined }, 0.5],
    ["names in any writing", { "End-Of Validity": "2030-01-01" }, 1],
    ["names that only hold one are others", { my_expiry: "2000-01-01" }, 0.5],
    ["the same day is start and end", { start_date: "2026-06-01", end_date: "2026-06-01" }, 1],
  ])("%s", (_, values, score) => {
    expect(of(values)).toBe(score);
  });

  it("follows its lists of names", () => {
    const constants = { ...defaultConstants, validityEndKeys: new Set(["ablauf"]) };
    const node = {
      createTime: undefined,
      updateTime: undefined,
      properties: [
        {
          name: "Ab_lauf",
          value: "2020-01-01",
          verifiedTime: undefined,
          source: undefined,
          updateTime: undefined,
        },
      ],
    };
    expect(validity(node, now, constants)).toBe(0);
    expect(validity(node, now, defaultConstants)).toBe(0.5);
  });
});

describe("the origin", () => {
  it.each([
    ["user", 0.4],
    ["End-User", 0.4],
    ["the user", 0.5],
    ["myself", 0.5],
    ["self", 0.4],
    ["kyc/self_declared", 0.4],
    ["SelfAsserted", 0.4],
    ["passport.gov.uk", 0.75],
    ["impots.gouv.fr", 0.75],
    ["army.mil", 0.75],
    ["gov", 0.75],
    ["gov.example.com", 0.5],
    ["notgov", 0.5],
    ["https://id.gov", 0.5],
    ["self.gov", 0.4],
    [7, 0],
    [["a.gov"], 0],
    ["   ", 0],
  ])("%j is %d", (source, score) => {
    expect(originOf(source, defaultConstants)).toBe(score);
  });

  it("is what the deployer's table says first", () => {
    const constants = {
      ...defaultConstants,
      originTable: [
        { match: "Registry", score: 1 },
        { match: "*.bank.example", score: 0.9 },
        { match: "*.example", score: 0.1 },
      ],
    };
    const sources = [" REGISTRY", "a.bank.example", "b.example", "bank.example", "example", "self.example"];
    expect(sources.map((source) => originOf(source, constants))).toEqual([1, 0.9, 0.1, 0.1, 0.5, 0.1]);
  });
});
