import { describe, expect, it } from "@jest/globals";
import { openPace } from "./pace.ts";

describe("the pace of a range", () => {
  it("is without rest while pages take what they took", () => {
    const pace = openPace(100);
    expect([100, 120, 95, 110].map((ms) => pace(ms, 1_000))).toEqual([0, 0, 0, 0]);
    expect(pace(10, 100)).toBe(0);
  });

  it("rests the longer the slower pages become, twelve times the work at most", () => {
    const pace = openPace(100);
    pace(100, 1_000);
    const rests = [300, 300, 300].map((ms) => pace(ms, 1_000) / ms);
    expect(rests).toEqual(rests.toSorted((a, b) => a - b));
    expect(rests[0]).toBeGreaterThan(7);
    expect(pace(10_000, 1_000)).toBe(120_000);
  });

  it("takes one slow page for noise, and several for the load of others", () => {
    const pace = openPace(100);
    pace(100, 1_000);
    expect(pace(180, 1_000)).toBe(0);
    expect(pace(100, 1_000)).toBe(0);
    expect([180, 180, 180].map((ms) => pace(ms, 1_000)).at(-1)).toBeGreaterThan(0);
  });

  it("owes no rest for a first page that took longer", () => {
    const pace = openPace(100);
    expect([300, 110, 100, 110].map((ms) => pace(ms, 1_000))).toEqual([0, 0, 0, 0]);
  });

  it("takes a database that stays slow for what it is", () => {
    const pace = openPace(100);
    pace(100, 1_000);
    for (let page = 0; page < 200; page++) pace(200, 1_000);
    expect(pace(200, 1_000)).toBe(0);
  });

  it("never works more than its share", () => {
    const pace = openPace(25);
    expect(pace(100, 1_000)).toBe(300);
    expect(pace(120, 1_000)).toBe(360);
    expect(pace(10_000, 1_000)).toBe(120_000);
  });
});
