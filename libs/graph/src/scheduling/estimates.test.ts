import { expect, it } from "@jest/globals";
import { Estimates } from "./estimates.ts";

it("a statement is long from the longer of two limits on, and until it is below the shorter one", () => {
  const estimates = new Estimates();
  const isLongAfter = (ms: number, times: number): boolean => {
    for (let at = 0; at < times; at++) estimates.record("text", ms);
    return estimates.of("text", "query").isPaced;
  };
  expect([6, 9, 6, 3, 6].map((ms) => isLongAfter(ms, 30))).toEqual([false, true, true, false, false]);
});

it("long texts are remembered up to a sum of their characters, the latest ones", () => {
  const estimates = new Estimates();
  const textOf = (at: number): string => `${at} ${"x".repeat(100_000)}`;
  for (let at = 0; at < 20; at++) estimates.record(textOf(at), 1_000 + at);
  const known = Array.from({ length: 20 }, (_, at) => at).filter(
    (at) => estimates.of(textOf(at), "query").ms === 1_000 + at,
  );
  expect(known).toEqual([16, 17, 18, 19]);
});
