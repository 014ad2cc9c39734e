import { describe, expect, it } from "@jest/globals";
import type { SharedRate } from "@ikg/concurrency";
import { Problem } from "@ikg/contracts";
import { openProjectRate } from "./project-rate.ts";

const alone: SharedRate = { report: () => undefined };

const refusalOf = (work: () => void): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe("requests of a project in a second", () => {
  it("are counted for each project, and one beyond its own is refused with the name of the limit", () => {
    let now = 0;
    const refused: string[] = [];
    const rate = openProjectRate(
      alone,
      (limit) => refused.push(limit),
      () => now,
    );
    const admitted = (project: string, perSecond: number): number => {
      for (let count = 0; ; count++)
        try {
          rate.take(project, perSecond);
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          expect([error.status, error.headers["Retry-After"], error.errors]).toEqual([
            429,
            "1",
            [
              `requests_per_second: at most ${perSecond} requests of the project in a second (limit requests_per_second, ${perSecond})`,
            ],
          ]);
          return count;
        }
    };
    expect(admitted("a", 10)).toBe(10);
    expect(admitted("b", 3)).toBe(3);
    now += 500;
    expect(admitted("a", 10)).toBe(5);
    now += 5_000;
    expect(admitted("a", 10)).toBe(10);
    // The operator's word counts from the next request on.
    now += 1_000;
    expect(admitted("a", 2)).toBe(2);
    expect(new Set(refused)).toEqual(new Set(["requests_per_second"]));
  });

  it("are reported to the other processes, and a refusal says how long the sum of all has to be waited for", () => {
    const reported: (readonly [string, number])[] = [];
    const shared: SharedRate = {
      report: (project, bucket, refillMs) => {
        reported.push([project, refillMs]);
        // Other processes have admitted so many.
        bucket.setFullIn(4_250, 0);
      },
    };
    const rate = openProjectRate(shared, undefined, () => 0);
    rate.take("a", 10);
    expect(refusalOf(() => rate.take("a", 10))).toMatchObject({
      status: 429,
      headers: { "Retry-After": "4" },
    });
    expect(reported).toEqual([
      ["a", 100],
      ["a", 0],
    ]);
  });
});
