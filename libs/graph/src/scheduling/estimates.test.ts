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

describe("a statement is long", () => {
  const isLongAfter = (durations: readonly number[]): boolean => {
    const estimates = new Estimates();
    const run = openRuns(estimates);
    for (const ms of durations) run("text", ms);
    return estimates.pacedMs({ text: "text", statementClass: "query", startedAt: 0 }, 1) > 0;
  };
  const times = (count: number, ...durations: readonly number[]): readonly number[] =>
    Array.from({ length: count }, () => durations).flat();

  it("where its quicker runs are", () => {
    expect(isLongAfter(times(30, 7))).toBe(false);
    expect(isLongAfter(times(30, 9))).toBe(true);
    expect(isLongAfter([...times(30, 9), ...times(60, 3)])).toBe(false);
    expect(isLongAfter([...times(30, 3), ...times(100, 30)])).toBe(false);
    expect(isLongAfter([...times(30, 3), ...times(4_000, 30)])).toBe(true);
    // No wait for others is that long.
    expect(isLongAfter([...times(30, 3), ...times(30, 600)])).toBe(true);
  });

  it("not because it waits for others now and then, or is planned again", () => {
    expect(isLongAfter([...times(30, 4), 2_000])).toBe(false);
    expect(isLongAfter([...times(30, 4), ...times(200, 4, 4, 40, 40, 40)])).toBe(false);
  });

  it("although few of its runs are quick", () => {
    expect(isLongAfter(times(200, 3, ...times(15, 11)))).toBe(true);
    expect(isLongAfter([...times(100, 11), ...times(20, ...times(4, 3), ...times(60, 11))])).toBe(true);
  });
});

describe("a slow run of a text whose other runs are quick", () => {
  const after = (usualMs: number, ms: number) => {
    const estimates = new Estimates();
    const run = openRuns(estimates);
    for (let at = 0; at < 200; at++) run("text", usualMs);
    run("text", ms);
    return estimates.of("text", "decision");
  };

  it("may have waited for others, up to a time", () => {
    expect(after(4, 300)).toMatchObject({ weight: "long", mayTurnHeavy: true, isPaced: false, ms: 5 });
    expect(after(30, 550)).toMatchObject({ weight: "long", mayTurnHeavy: true });
  });

  it("is its own cost beyond", () => {
    expect(after(4, 600)).toMatchObject({ weight: "long", mayTurnHeavy: true, isPaced: false, ms: 123.2 });
    expect(after(30, 700)).toMatchObject({ weight: "heavy", mayTurnHeavy: false });
  });
});

describe("a run is charged to the pace", () => {
  const estimates = new Estimates();
  const run = openRuns(estimates);
  for (let at = 0; at < 30; at++) {
    run("short", 3);
    run("long", 20);
    run("heavy", 200);
    run("write query", at % 2 === 0 ? 2 : 40);
  }
  const pacedMs = (text: string, ms: number, statementClass: "query" | "background" = "query"): number =>
    estimates.pacedMs({ text, statementClass, startedAt: 0 }, ms);
  it.each([
    ["with what it took, where its text is long", pacedMs("long", 15), 15],
    ["with no more than its quicker runs, however long it waited for others", pacedMs("long", 390), 20],
    ["with four of them at most, where its text is heavy", pacedMs("heavy", 3_900), 800],
    ["with nothing, where its text is short", pacedMs("short", 5_000), 0],
    ["with nothing, where its text is not known", pacedMs("other", 5_000), 0],
    ["with what it took, where it is background work", pacedMs("short", 5, "background"), 5],
    ["with what it took, where it writes and is long on average", pacedMs("write query", 400), 400],
  ])("%s", (_, charged, expected) => {
    expect(charged).toBeCloseTo(expected);
  });
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
