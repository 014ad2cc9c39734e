/** Ways to do the same, measured in rounds in which each has its turn. */
import { say } from "../../launch/progress.mjs";
import { median, medians, type Round, summarize, type Summary } from "./statistics.ts";

export interface TurnsPlan {
  readonly rounds: number;
  readonly roundMs: number;
  readonly warmUpMs: number;
}

/** Does the same over and over for so many milliseconds. */
export type Work = (ms: number) => Promise<Round>;

export interface Turns<W extends string> {
  /** medians over the rounds */
  summary(way: W): Summary;
  /** Median of the ratios within the rounds: what disturbs the machine for a while disturbs both. */
  ratio(way: W, baseline: W, figure?: "p50" | "p99" | "throughput"): number;
}

/** Each round begins with another way, so that none is always measured after the same neighbour. */
export const orderOf = <W>(ways: readonly W[], round: number): readonly W[] => {
  const first = round % ways.length;
  return [...ways.slice(first), ...ways.slice(0, first)];
};

/** @param title printed with each round; nothing is printed without it */
export const takeTurns = async <W extends string>(
  works: Readonly<Record<W, Work>>,
  plan: TurnsPlan,
  title?: string,
): Promise<Turns<W>> => {
  const ways = Object.keys(works) as W[]; // the keys of the record
  for (const way of ways) await works[way](plan.warmUpMs);
  const rounds: Record<W, Summary>[] = [];
  for (let round = 0; round < plan.rounds; round++) {
    const found: [W, Summary][] = [];
    for (const way of orderOf(ways, round)) found.push([way, summarize(await works[way](plan.roundMs))]);
    rounds.push(Object.fromEntries(found) as Record<W, Summary>); // every way had its turn
    if (title !== undefined) say(`${title}: round ${round + 1} of ${plan.rounds}`);
  }
  return {
    summary: (way) => medians(rounds.map((round) => round[way])),
    ratio: (way, baseline, figure = "throughput") =>
      median(rounds.map((round) => round[way][figure] / round[baseline][figure])),
  };
};
