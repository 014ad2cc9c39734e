import { describe, expect, it } from "@jest/globals";
import { openRefusalPace } from "./refusal-pace.ts";

const limits = { perSecond: 3, holdMs: 60, maxHeld: 4 };

/** How long so many refusals at once are held, each in milliseconds. */
const holdsOf = (pace: (project: string) => Promise<void>, count: number, project = "a"): Promise<number[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const began = performance.now();
      await pace(project);
      return performance.now() - began;
    }),
  );

const held = (holds: readonly number[]): number => holds.filter((ms) => ms >= limits.holdMs - 5).length;

describe("refusals of a project", () => {
  it("are sent at once while there are few, and held where there are many", async () => {
    const pace = openRefusalPace(limits, () => 0);
    expect(held(await holdsOf(pace, 3))).toBe(0);
    expect(held(await holdsOf(pace, 4))).toBe(4);
  });

  it("are held up to a number, so that a storm fills nothing", async () => {
    const pace = openRefusalPace(limits, () => 0);
    expect(held(await holdsOf(pace, 50))).toBe(limits.maxHeld);
    expect(held(await holdsOf(pace, 1))).toBe(1);
  });

  it("are counted for each project and each second", async () => {
    let now = 0;
    const pace = openRefusalPace(limits, () => now);
    expect(held(await holdsOf(pace, 5))).toBe(2);
    expect(held(await holdsOf(pace, 3, "b"))).toBe(0);
    now = 1_000;
    expect(held(await holdsOf(pace, 3))).toBe(0);
  });
});
