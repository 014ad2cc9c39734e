import { describe, expect, it } from "@jest/globals";
import { nextRun, runSeconds } from "./profile-runs.ts";

const start = "2026-06-01T00:00:00Z";
const run = { last_run_start_time: start, last_run_end_time: "2026-06-01T00:00:05Z" };
const none = { last_run_start_time: "", last_run_end_time: "" };

describe("runs of a profile", () => {
  it("last as long as from their start to their end", () => {
    expect([runSeconds(run), runSeconds(none)]).toEqual([5, undefined]);
  });

  it.each([
    [run, "2026-06-01T01:00:00Z", "2026-06-01T06:00:00.000Z"],
    [run, "2026-06-02T00:00:00Z", "2026-06-02T00:00:00.000Z"],
    [none, "2026-06-02T00:00:00Z", undefined],
  ])("%j: after %s the next is due at %s", (last, now, expected) => {
    expect(nextRun({ ...last, schedule: "SIX_HOURS" }, Date.parse(now))).toBe(expected);
  });
});
