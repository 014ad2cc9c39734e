import { describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import type { Profile, Schedule } from "../profiles/profile.ts";
import { intervalMs, planSchedules, schedulerId } from "./interval.ts";

const hour = 3_600_000;
const now = Date.parse("2026-06-01T12:00:00Z");
const profile = (schedule: Schedule, updateTime = "2026-06-01T11:00:00.000Z"): Profile => ({
  id: newGid("trust_score_profile"),
  projectId: newGid("project"),
  type: "Person",
  schedule,
  dimensions: [{ name: "FRESHNESS", weight: 1 }],
  updateTime,
});
const clock = { scale: 1, now };
const never = new Map<string, string | undefined>();

describe("the interval of a schedule", () => {
  it.each([
    ["THREE_HOURS", 10_800_000],
    ["SIX_HOURS", 21_600_000],
    ["TWELVE_HOURS", 43_200_000],
    ["DAILY", 86_400_000],
  ] as const)("%s is %d ms, times a factor", (schedule, ms) => {
    expect(intervalMs(schedule, 1)).toBe(ms);
    expect(intervalMs(schedule, 0.0001)).toBe(Math.round(ms * 0.0001));
    expect(intervalMs(schedule, 1e-12)).toBe(1);
  });
});

describe("the schedules of the queue", () => {
  it("have names without a colon", () => {
    expect(schedulerId(newGid("trust_score_profile"))).toMatch(/^trust-[A-Za-z0-9_-]+$/);
  });

  it("begin at once for a new profile", () => {
    const one = profile("DAILY");
    expect(planSchedules([one], [], never, clock)).toEqual({
      upsert: [{ profile: one, every: 24 * hour, from: undefined }],
      remove: [],
    });
  });

  it("go on where they were when the queue lost them", () => {
    const one = profile("SIX_HOURS");
    const begun = new Map([[one.id, "2026-06-01T10:00:00.000Z"]]);
    const { upsert } = planSchedules([one], [], begun, clock);
    expect(upsert).toEqual([{ profile: one, every: 6 * hour, from: Date.parse("2026-06-01T16:00:00Z") }]);
  });

  it("begin an interval after a change", () => {
    const one = profile("THREE_HOURS");
    const kept = [{ id: schedulerId(one.id), every: 24 * hour, next: now + 20 * hour }];
    const begun = new Map([[one.id, "2026-06-01T08:00:00.000Z"]]);
    expect(planSchedules([one], kept, begun, clock).upsert).toEqual([
      { profile: one, every: 3 * hour, from: Date.parse("2026-06-01T14:00:00Z") },
    ]);
    // Changed before its first pass: that still comes at once.
    expect(planSchedules([one], kept, never, clock).upsert).toMatchObject([{ from: undefined }]);
  });

  it("stay as they are while nothing changes, however late a slot is", () => {
    const one = profile("THREE_HOURS");
    for (const next of [now + hour, now - 2 * hour])
      expect(
        planSchedules([one], [{ id: schedulerId(one.id), every: 3 * hour, next }], never, clock),
      ).toEqual({ upsert: [], remove: [] });
  });

  it("are made anew when a slot was due for longer than an interval and no process has it", () => {
    const one = profile("THREE_HOURS");
    const kept = [{ id: schedulerId(one.id), every: 3 * hour, next: now - 4 * hour }];
    expect(planSchedules([one], kept, never, clock).upsert).toHaveLength(1);
  });

  it("end with their profile, and leave others of the queue alone", () => {
    const one = profile("DAILY");
    const kept = [
      { id: schedulerId(one.id), every: 24 * hour, next: now + hour },
      { id: "trust-gone", every: hour, next: now },
      { id: "other", every: hour, next: now },
    ];
    expect(planSchedules([one], kept, never, clock)).toEqual({ upsert: [], remove: ["trust-gone"] });
  });
});
