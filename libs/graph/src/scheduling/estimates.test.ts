import { describe, expect, it } from "@jest/globals";
import { Estimates } from "./estimates.ts";

/** A query of one row, or of so many. */
const query = (text: string, rows?: number) => ({ text, rows, statementClass: "query" }) as const;
const decision = { text: "text", rows: undefined, statementClass: "decision" } as const;

/** Runs of statements, one after the other. */
const openRuns = (estimates: Estimates) => {
  let now = 0;
  return (text: string, ms: number, rows?: number): void => {
    estimates.record({ ...query(text, rows), startedAt: now }, now + ms);
    now += ms;
  };
};

describe("a statement is long", () => {
  const isLongAfter = (durations: readonly number[]): boolean => {
    const estimates = new Estimates();
    const run = openRuns(estimates);
    for (const ms of durations) run("text", ms);
    return estimates.pacedMs({ ...query("text"), startedAt: 0 }, 1) > 0;
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
    return estimates.of(decision);
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
    estimates.pacedMs({ text, rows: undefined, statementClass, startedAt: 0 }, ms);
  it.each([
    ["with what it took, where its text is long", pacedMs("long", 15), 15],
    ["with no more than its quicker runs, however long it waited for others", pacedMs("long", 390), 20],
    ["with four of them at most, where its text is heavy", pacedMs("heavy", 3_900), 800],
    ["with nothing, where its text is short", pacedMs("short", 5_000), 0],
    ["with nothing, where its text is not known", pacedMs("other", 5_000), 0],
    ["with what it took, where it is background work", pacedMs("short", 5, "background"), 5],
    ["with what it took, where it writes and is long on average", pacedMs("write query", 20), 20],
  ])("%s", (_, charged, expected) => {
    expect(charged).toBeCloseTo(expected);
  });

  it("with four of the mean at most, where it writes, so that one pause of the database is no load of a project", () => {
    const writes = new Estimates();
    const write = openRuns(writes);
    for (let at = 0; at < 30; at++) write("write query", 10);
    write("write query", 2_000);
    const ms = writes.pacedMs({ ...query("write query"), startedAt: 0 }, 2_000);
    expect(ms).toBeGreaterThan(40);
    expect(ms).toBeLessThan(70);
    expect(writes.of(query("write query"))).toMatchObject({ weight: "long" });
    for (let at = 0; at < 2; at++) write("write query", 2_000);
    expect(writes.of(query("write query"))).toMatchObject({ weight: "heavy" });
    expect(writes.pacedMs({ ...query("write query"), startedAt: 0 }, 2_000)).toBeGreaterThan(1_000);
  });
});

it("a transaction that writes a known number of rows costs what its quicker runs take", () => {
  const estimates = new Estimates();
  const write = openRuns(estimates);
  for (let at = 0; at < 60; at++) write("write query", at % 3 === 0 ? 20 : 300, 10);
  expect(estimates.pacedMs({ ...query("write query", 10), startedAt: 0 }, 300)).toBeLessThan(40);
  // Few rows say nothing of many.
  expect(estimates.pacedMs({ ...query("write query", 200), startedAt: 0 }, 300)).toBe(0);
});

describe("rows that one statement joins", () => {
  const times = 30;

  it("are learnt by their order of magnitude", () => {
    const estimates = new Estimates();
    const run = openRuns(estimates);
    for (let at = 0; at < times; at++) {
      run("text", 40);
      run("text", 90, 20);
    }
    expect(estimates.of(query("text")).ms).toBeCloseTo(40);
    expect(estimates.of(query("text", 30)).ms).toBeCloseTo(90);
  });

  it("cost no more than they would one by one", () => {
    const estimates = new Estimates();
    const run = openRuns(estimates);
    for (let at = 0; at < times; at++) run("text", 2, 1);
    expect(estimates.of(query("text", 5))).toMatchObject({ ms: 10, weight: "long" });
    // They were joined while the database stood still.
    for (let at = 0; at < 3; at++) run("text", 400, 5);
    expect(estimates.of(query("text", 5)).weight).toBe("long");
    expect(estimates.pacedMs({ ...query("text", 5), startedAt: 0 }, 400)).toBeCloseTo(10);
    // Without single rows beside them it is their own cost.
    for (let at = 0; at < 10; at++) run("text", 400, 5);
    expect(estimates.of(query("text", 5)).weight).toBe("heavy");
  });
});

it("a run that was stopped for its caller says nothing where it took less than the others", () => {
  const estimates = new Estimates();
  const run = openRuns(estimates);
  for (let at = 0; at < 30; at++) run("text", 200);
  const stop = (ms: number): void =>
    estimates.recordStopped({ ...query("text"), startedAt: 10_000 }, 10_000 + ms);
  for (let at = 0; at < 100; at++) stop(2);
  expect(estimates.of(query("text"))).toMatchObject({ weight: "heavy", ms: 200 });
  for (let at = 0; at < 30; at++) stop(900);
  expect(estimates.of(query("text")).ms).toBeGreaterThan(200);
  // Nor is an unknown text known as a quick one by it, and it is known in the end.
  const stopOther = (startedAt: number, ms: number): void =>
    estimates.recordStopped({ ...query("other"), startedAt }, startedAt + ms);
  stopOther(0, 1);
  expect(estimates.of(query("other")).ms).toBeGreaterThanOrEqual(50);
  stopOther(1_000, 300);
  stopOther(2_000, 300);
  expect(estimates.of(query("other"))).toMatchObject({ weight: "heavy", isPaced: true });
});

it("long texts are remembered up to a sum of their characters, the latest ones", () => {
  const estimates = new Estimates();
  const textOf = (at: number): string => `${at} ${"x".repeat(100_000)}`;
  const run = openRuns(estimates);
  for (let at = 0; at < 20; at++) run(textOf(at), 1_000 + at);
  const known = Array.from({ length: 20 }, (_, at) => at).filter(
    (at) => estimates.of(query(textOf(at))).ms === 1_000 + at,
  );
  expect(known).toEqual([16, 17, 18, 19]);
});

describe("a run that contains planning", () => {
  const runAt = (startedAt: number) => ({ ...decision, startedAt });
  const known = { ms: 1_000, weight: "heavy", isPaced: false };

  it("says nothing of the next one where that is shorter", () => {
    const estimates = new Estimates();
    estimates.recordLeast(runAt(0), 150);
    estimates.record(runAt(0), 1_000);
    expect(estimates.of(decision)).toMatchObject(known);
    estimates.record(runAt(1_000), 1_003);
    expect(estimates.of(decision)).toMatchObject({ ms: 3, weight: "short", isPaced: false });
  });

  it("is each that began before the first one ended", () => {
    const estimates = new Estimates();
    estimates.record(runAt(0), 1_000);
    estimates.record(runAt(500), 1_100);
    estimates.record(runAt(900), 1_200);
    expect(estimates.of(decision)).toMatchObject(known);
    estimates.record(runAt(1_001), 1_004);
    estimates.record(runAt(950), 1_300);
    expect(estimates.of(decision)).toMatchObject({ ms: 3, weight: "short", isPaced: false });
  });

  it("makes a statement long and heavy together with the next one where that takes long, also while it runs", () => {
    const estimates = new Estimates();
    estimates.record(runAt(0), 1_000);
    estimates.recordLeast(runAt(1_000), 1_100);
    expect(estimates.of(decision)).toMatchObject({ weight: "heavy", isPaced: true });
    estimates.record(runAt(1_000), 1_900);
    estimates.record(runAt(1_900), 1_903);
    expect(estimates.of(decision)).toMatchObject({ weight: "heavy", isPaced: true });
  });

  it("of background work says nothing of decisions that were never measured", () => {
    const estimates = new Estimates();
    estimates.record({ text: "import", rows: 1, statementClass: "background", startedAt: 0 }, 1_000);
    expect(estimates.of({ ...decision, text: "other" }).weight).toBe("short");
    expect(estimates.of({ text: "other", rows: 1, statementClass: "background" }).weight).toBe("heavy");
  });
});
