/** What is measured for how long, and what the figures come to. */
import type { Summary } from "../../../stack/src/measurement/statistics.ts";
import type { Turns } from "../../../stack/src/measurement/turns.ts";

export const callerCounts = [1, 16, 64] as const;
const ways = ["driver", "access", "gateway"] as const;

export type Way = (typeof ways)[number];

export const plan = { rounds: 5, roundMs: 2_000, warmUpMs: 2_000, seed: 20_260 } as const;

/** At one caller, the gateway's p50 may be at most this many times the raw driver's. */
export const p50Target = 4;

export interface Line extends Summary {
  readonly way: Way;
  readonly callers: number;
  /** its p50 divided by the raw driver's at as many callers */
  readonly p50Ratio: number;
  /** its throughput divided by the raw driver's at as many callers */
  readonly throughputRatio: number;
}

/** Medians over the rounds, beside the driver's at the same number of callers. */
export const linesOf = (callers: number, turns: Turns<Way>): readonly Line[] =>
  ways.map((way) => ({
    way,
    callers,
    ...turns.summary(way),
    p50Ratio: turns.ratio(way, "driver", "p50"),
    throughputRatio: turns.ratio(way, "driver"),
  }));

/** The gateway's p50 at one caller as a multiple of the driver's. */
export const targetRatio = (lines: readonly Line[]): number => {
  const line = lines.find(({ way, callers }) => way === "gateway" && callers === 1);
  if (line === undefined) throw new Error("the gateway was not measured at one caller");
  return line.p50Ratio;
};
