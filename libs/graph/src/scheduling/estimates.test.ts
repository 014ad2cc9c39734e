import { describe, expect, it } from "@jest/globals";
import { Estimates } from "./estimates.ts";

/** Runs of statements, one after the other. */
const openRuns = (estimates: Estimates) => {
  let now = 0;
  return (text: string, ms: number): void => {
    estimates.record({ text, statementClass: "query", startedAt: now }, now + ms);
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
  const runAt = (startedAt: number) => ({ text: "text", statementClass: "decision", startedAt }) as const;
  const known = { ms: 1_000, weight: "heavy", isPaced: false };

  it("says nothing of the next one where that is shorter", () => {
    const estimates = new Estimates();
    estimates.recordLeast(runAt(0), 150);
    estimates.record(runAt(0), 1_000);
    expect(estimates.of("text", "decision")).toMatchObject(known);
    estimates.record(runAt(1_000), 1_003);
    expect(estimates.of("text", "decision")).toMatchObject({ ms: 3, weight: "short", isPaced: false });
  });

  it("is each that began before the first one ended", () => {
    const estimates = new Estimates();
    estimates.record(runAt(0), 1_000);
    estimates.record(runAt(500), 1_100);
    estimates.record(runAt(900), 1_200);
    expect(estimates.of("text", "decision")).toMatchObject(known);
    estimates.record(runAt(1_001), 1_004);
    estimates.record(runAt(950), 1_300);
    expect(estimates.of("text", "decision")).toMatchObject({ ms: 3, weight: "short", isPaced: false });
  });

  it("makes a statement long and heavy together with the next one where that takes long, also while it runs", () => {
    const estimates = new Estimates();
    estimates.record(runAt(0), 1_000);
    estimates.recordLeast(runAt(1_000), 1_100);
    expect(estimates.of("text", "decision")).toMatchObject({ weight: "heavy", isPaced: true });
    estimates.record(runAt(1_000), 1_900);
    estimates.record(runAt(1_900), 1_903);
    expect(estimates.of("text", "decision")).toMatchObject({ weight: "heavy", isPaced: true });
  });

  it("of background work says nothing of decisions that were never measured", () => {
    const estimates = new Estimates();
    estimates.record({ text: "import", statementClass: "background", startedAt: 0 }, 1_000);
    expect(estimates.of("other", "decision").weight).toBe("short");
    expect(estimates.of("other", "background").weight).toBe("heavy");
  });
});
