import { describe, expect, it } from "@jest/globals";
import { Estimates } from "./estimates.ts";

/** Runs of statements, one after the other. */
const openRuns = (estimates: Estimates) => {
  let now = 0;
  return (text: string, ms: number): void => {
    estimates.record(text, now, now + ms);
    now += ms;
  };
};

it("a statement is long from the longer of two limits on, and until it is below the shorter one", () => {
  const estimates = new Estimates();
  const run = openRuns(estimates);
  const isLongAfter = (ms: number, times: number): boolean => {
    for (let at = 0; at < times; at++) run("text", ms);
    return estimates.of("text", "query").isPaced;
  };
  expect([6, 9, 6, 3, 6].map((ms) => isLongAfter(ms, 30))).toEqual([false, true, true, false, false]);
});

it("long texts are remembered up to a sum of their characters, the latest ones", () => {
  const estimates = new Estimates();
  const textOf = (at: number): string => `${at} ${"x".repeat(100_000)}`;
  const run = openRuns(estimates);
  for (let at = 0; at < 20; at++) run(textOf(at), 1_000 + at);
  const known = Array.from({ length: 20 }, (_, at) => at).filter(
    (at) => estimates.of(textOf(at), "query").ms === 1_000 + at,
  );
  expect(known).toEqual([16, 17, 18, 19]);
});

describe("a run that contains planning", () => {
  it("says nothing of the next one where that is shorter", () => {
    const estimates = new Estimates();
    estimates.recordLeast("text", 0, 150);
    estimates.record("text", 0, 1_000);
    expect(estimates.of("text", "decision")).toMatchObject({ ms: 1_000, weight: "heavy", isPaced: false });
    estimates.record("text", 1_000, 1_003);
    expect(estimates.of("text", "decision")).toMatchObject({ ms: 3, weight: "short", isPaced: false });
  });

  it("is each that began before the first one ended", () => {
    const estimates = new Estimates();
    for (const [startedAt, endedAt] of [
      [0, 1_000],
      [500, 1_100],
      [900, 1_200],
    ] as const)
      estimates.record("text", startedAt, endedAt);
    expect(estimates.of("text", "decision")).toMatchObject({ ms: 1_000, isPaced: false });
  });

  it("makes a statement long together with the next one where that is long", () => {
    const estimates = new Estimates();
    estimates.record("text", 0, 1_000);
    estimates.record("text", 1_000, 1_900);
    expect(estimates.of("text", "query")).toMatchObject({ weight: "heavy", isPaced: true });
    estimates.record("text", 1_900, 1_903);
    expect(estimates.of("text", "query")).toMatchObject({ weight: "heavy", isPaced: true });
  });
});
