import { describe, expect, it } from "@jest/globals";
import type { Outcome } from "./run-accepted.ts";
import { runMeasured } from "./run-measured.ts";

const mostMs = 6_000;
const failure: Outcome = { ms: 7_000, end: "failure", error: new Error("the server has ended") };

/** Measures runs with these outcomes, or times of an answer, one after another, and counts the runs. */
const measure = async (...ends: readonly (number | Outcome)[]) => {
  let count = 0;
  const outcome = await runMeasured(async (): Promise<Outcome> => {
    const end = ends[count++];
    if (end === undefined) throw new Error("an unexpected run");
    return typeof end === "number" ? { ms: end, end: "answer" } : end;
  }, mostMs);
  return { ms: outcome.ms, error: outcome.error, count };
};

describe("a measured run", () => {
  it.each([
    ["is not repeated where it is fast", [5_999], 5_999],
    ["is repeated where it is slow, until it is fast", [9_000, 5_000], 5_000],
    ["is the fastest of three where each is slow", [9_000, 7_000, 8_000], 7_000],
    ["is the first one where planning took too long", [15_000], 15_000],
  ])("%s", async (_name, ends, ms) => {
    expect(await measure(...ends)).toEqual({ ms, error: undefined, count: ends.length });
  });

  it("is the first one that failed", async () => {
    const { ms, error } = failure;
    expect(await measure(failure)).toEqual({ ms, error, count: 1 });
    expect(await measure(6_500, failure)).toEqual({ ms, error, count: 2 });
  });
});
