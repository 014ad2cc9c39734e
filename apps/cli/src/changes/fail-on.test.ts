import { describe, expect, it } from "@jest/globals";
import type { SimulatedQuestion, Simulation } from "@ikg/client";
import { thresholdFailures, thresholds } from "./fail-on.ts";

const amount = (count: number, high?: number): SimulatedQuestion["lost"] =>
  high === undefined
    ? { count, exact: true, examples: [] }
    : { count, exact: false, low: 0, high, examples: [] };

const question = (gained: number, lost: number, high?: number): SimulatedQuestion => ({
  subject_type: "Pilot",
  action: "FLY",
  resource_type: "Aircraft",
  gained: amount(gained, high),
  lost: amount(lost),
  subjects: { examined: 1, of: 1 },
  method: "scan",
});

const simulation = (questions: readonly SimulatedQuestion[], more: Partial<Simulation> = {}): Simulation => ({
  complete: true,
  milliseconds: 1,
  questions: [...questions],
  undetermined: [],
  ...more,
});

describe("--fail-on", () => {
  it("fails above a number, 0 where there is none, over all questions", () => {
    const lost = thresholds("lost,gained>100");
    expect(thresholdFailures(simulation([question(60, 0), question(40, 0)]), lost)).toEqual([]);
    expect(thresholdFailures(simulation([question(60, 0), question(41, 1)]), lost)).toEqual([
      "1 lost, more than 0",
      "101 gained, more than 100",
    ]);
  });

  it("takes the upper end of an estimate", () =>
    expect(thresholdFailures(simulation([question(1, 0, 200)]), thresholds("gained>100"))).toEqual([
      "200 gained, more than 100",
    ]));

  it("fails where it is unknown whether something is lost", () => {
    const unknown: SimulatedQuestion = { ...question(0, 0), lost: { count: 0, exact: false, examples: [] } };
    const unexamined: SimulatedQuestion = {
      ...question(0, 0),
      subjects: { examined: 1, of: 4, unexamined: { count: 3, examples: ["ann"] } },
    };
    const judged = simulation([unknown, unexamined], {
      complete: false,
      undetermined: [{ name: "may-fly", parameters: ["min_hours", "model"] }],
      queries: [{ query: 0, name: "ratings", complete: false }],
    });
    expect(thresholdFailures(judged, thresholds("lost>5"))).toEqual([
      "may-fly was not evaluated: set -p min_hours=… -p model=…",
      "Pilot FLY Aircraft was not evaluated within the time limit; increase --budget",
      "Pilot FLY Aircraft was not evaluated for 3 subjects",
      "query ratings was not evaluated",
    ]);
    expect(thresholdFailures(judged, [])).toEqual([]);
  });

  it("counts rows of queries, all of them where the query is refused afterwards", () => {
    const rows = (count: number) => ({ count, examples: [] });
    const queries = [
      { query: 0, name: "a", complete: true, only_before: rows(2), only_after: rows(1) },
      { query: 1, name: "b", complete: true, rows_before: 4, refused_after: { code: "not_found" as const } },
    ];
    const judged = simulation([question(0, 1)], { queries });
    expect(thresholdFailures(judged, thresholds("lost,gained"))).toEqual([
      "7 lost, more than 0",
      "1 gained, more than 0",
    ]);
  });

  it("takes nothing else", () => {
    for (const text of ["", "won", "lost>", "lost>x", "lost,,gained", "lost>=1"])
      expect(() => thresholds(text)).toThrow("lost, gained");
  });
});
