import { describe, expect, it } from "@jest/globals";
import { openPace } from "./pace.ts";

describe("the pace of a range", () => {
  it("is without rest while pages take what they took", () => {
    const pace = openPace(100);
    expect([100, 120, 95, 110].map((ms) => pace(ms, 1_000))).toEqual([0, 0, 0, 0]);
    expect(pace(10, 100)).toBe(0);
  });

  it("rests the longer the slower pages become, four times the work at most", () => {
    const pace = openPace(100);
    pace(100, 1_000);
    const [twice, tenfold] = [pace(200, 1_000), pace(1_000, 1_000)];
    expect(twice / 200).toBeCloseTo(3, 0);
    expect(tenfold).toBe(4_000);
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
    expect(pace(200, 1_000)).toBeCloseTo(600, 0);
    expect(pace(1_000, 1_000)).toBe(4_000);
  });
});
