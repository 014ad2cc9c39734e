import { describe, expect, it } from "@jest/globals";
import { addTo, emptyTally, estimate } from "./estimate.ts";

/** The same numbers for the same seed (mulberry32). */
const randomOf = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const size = 20_000;
const sampled = 2_000;

/** Values in random order. Typed: millions are drawn. */
const drawShuffled = (draw: (random: () => number) => number, random: () => number): Int32Array => {
  const order = new Int32Array(size);
  for (let at = 0; at < size; at++) order[at] = draw(random);
  for (let last = size - 1; last > 0; last--) {
    const at = Math.floor(random() * (last + 1));
    const swapped = order[last] ?? 0;
    order[last] = order[at] ?? 0;
    order[at] = swapped;
  }
  return order;
};

/** How many pairs each subject has. */
const populations: readonly [string, (random: () => number) => number][] = [
  ["the same", () => 3],
  ["most have one, some have none", (random) => (random() < 0.8 ? 1 : 0)],
  ["exponential", (random) => Math.floor(-20 * Math.log(1 - random()))],
  ["a heavy tail", (random) => Math.min(1_000, Math.floor((1 - random()) ** (-1 / 1.5)))],
  ["few have many", (random) => (random() < 0.03 ? 50 + Math.floor(random() * 100) : 0)],
  ["one in a thousand has one", (random) => (random() < 0.001 ? 1 : 0)],
  ["none has any", () => 0],
];

describe("an estimate from a random sample", () => {
  it.each(populations)("holds the true count in 90 of 100 samples where it is skewed: %s", (_name, draw) => {
    let holding = 0;
    for (let seed = 1; seed <= 100; seed++) {
      const random = randomOf(seed);
      const values = drawShuffled(draw, random);
      const truth = values.reduce((sum, each) => sum + each, 0);
      const tally = emptyTally();
      for (const each of values.subarray(0, sampled)) addTo(tally, each);
      const { exact, low = NaN, high = NaN } = estimate(tally, size);
      expect(exact).toBe(false);
      if (low <= truth && truth <= high) holding += 1;
    }
    expect(holding).toBeGreaterThanOrEqual(90);
  });

  it("is exact when all are examined, and never below what was seen", () => {
    const tally = emptyTally();
    for (const each of [1, 0, 5]) addTo(tally, each);
    expect(estimate(tally, 3)).toEqual({ count: 6, exact: true });
    expect(estimate(tally, 4).low).toBeGreaterThanOrEqual(6);
    expect(estimate(emptyTally(), 4)).toEqual({ count: 0, exact: false });
    expect(estimate(emptyTally(), 0)).toEqual({ count: 0, exact: true });
  });
});
