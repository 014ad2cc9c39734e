import { describe, expect, it } from "@jest/globals";
import { seeded } from "./random.ts";

const draw = (seed: number, count: number, below: number): number[] => {
  const random = seeded(seed);
  return Array.from({ length: count }, () => random.integer(below));
};

describe("seeded", () => {
  it("repeats itself for a seed and differs for another", () => {
    expect(draw(7, 50, 1000)).toEqual(draw(7, 50, 1000));
    expect(draw(7, 50, 1000)).not.toEqual(draw(8, 50, 1000));
  });

  it("spreads over the whole range and stays in it", () => {
    const counts = new Map<number, number>();
    for (const value of draw(1, 10_000, 10)) counts.set(value, (counts.get(value) ?? 0) + 1);
    expect([...counts.keys()].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });

  it("picks nothing from nothing", () => {
    expect(() => seeded(1).pick([])).toThrow("nothing to pick");
  });
});
