import { describe, expect, it } from "@jest/globals";
import { takeTurns, type Turns } from "../../../stack/src/measurement/turns.ts";
import { linesOf, targetRatio, type Way } from "./plan.ts";

/** One call that took so many milliseconds. */
const work = (ms: number) => async () => ({ latencies: Float64Array.of(ms), elapsed: ms });

const measure = (): Promise<Turns<Way>> =>
  takeTurns({ driver: work(1), access: work(2), gateway: work(4) }, { rounds: 3, roundMs: 0, warmUpMs: 0 });

describe("linesOf", () => {
  it("compares each way with the driver", async () => {
    const lines = linesOf(16, await measure());
    expect(lines.map(({ way, p50Ratio, throughputRatio }) => [way, p50Ratio, throughputRatio])).toEqual([
      ["driver", 1, 1],
      ["access", 2, 0.5],
      ["gateway", 4, 0.25],
    ]);
  });
});

describe("targetRatio", () => {
  it("is the gateway's at one caller", async () => {
    const turns = await measure();
    expect(targetRatio([...linesOf(16, turns), ...linesOf(1, turns)])).toBe(4);
    expect(() => targetRatio(linesOf(16, turns))).toThrow("not measured");
  });
});
