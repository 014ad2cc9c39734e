/** Statements of schedules, for tests. */
import fc from "fast-check";
import { statementClasses } from "../src/scheduling/statement-class.ts";
import type { Arrival, Outcome } from "./simulation.ts";

export const arrival = (more: Partial<Arrival>): Arrival => ({
  at: 0,
  project: "a",
  statementClass: "query",
  text: "t",
  ms: 1,
  timeoutMs: 1e9,
  ...more,
});

/** So many statements, one after the other. */
export const stream = (count: number, everyMs: number, more: Partial<Arrival>): Arrival[] =>
  Array.from({ length: count }, (_, i) => arrival({ ...more, at: (more.at ?? 0) + i * everyMs }));

export const waitsOf = (outcomes: readonly Outcome[], project: string): number[] =>
  outcomes
    .filter((outcome) => outcome.arrival.project === project && outcome.startedAt !== undefined)
    .map(({ arrival: { at }, startedAt = 0 }) => startedAt - at);

const drawn: fc.Arbitrary<Arrival> = fc
  .record({
    at: fc.nat(3_000),
    project: fc.constantFrom("a", "b", "c", "d"),
    statementClass: fc.constantFrom(...statementClasses),
    text: fc.constantFrom("short", "middle", "long"),
    timeoutMs: fc.oneof(fc.integer({ min: 1, max: 2_000 }), fc.constant(1e9)),
    abortAfter: fc.option(fc.nat(1_000), { nil: undefined, freq: 5 }),
    jitter: fc.nat(20),
  })
  .map(({ jitter, ...one }) => ({ ...one, ms: { short: 1, middle: 60, long: 1_500 }[one.text] + jitter }));

/** Of four projects within three seconds. */
export const schedule = fc.array(drawn, { maxLength: 120 });

/** The same, where three of the projects belong to one organization. */
export const scheduleOfOrganizations = schedule.map((arrivals) =>
  arrivals.map((each) => (each.project === "d" ? each : { ...each, organization: "of three" })),
);
