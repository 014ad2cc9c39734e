/** Requests in a second by each way, the ways taking turns. */
import { type Ask, inTurn, run } from "../measure.ts";
import { say } from "../say.ts";
import { median, medians, summarize, type Summary } from "../statistics.ts";
import { orderOf, plan, type Way, ways } from "./plan.ts";

/** One bearer of several, sent where the way sends one; no policy concerns the question, so it is denied. */
export interface Question {
  readonly bearer: string;
  readonly expected: false;
}

export type Asks = Readonly<Record<Way, Ask<Question>>>;

export interface Throughput {
  readonly ways: Readonly<Record<Way, Summary>>;
  /** Median of the ratios within the rounds: what disturbs the machine for a while disturbs both. */
  ratio(way: Way, baseline: Way): number;
}

export const measureThroughput = async (asks: Asks, questions: readonly Question[]): Promise<Throughput> => {
  const list = inTurn(questions);
  for (const way of ways) await run(asks[way], list, plan.callers, plan.warmUpMs);
  const rounds: Record<Way, Summary>[] = [];
  for (let round = 0; round < plan.rounds; round++) {
    const found: [Way, Summary][] = [];
    for (const way of orderOf(round))
      found.push([way, summarize(await run(asks[way], list, plan.callers, plan.roundMs))]);
    rounds.push(Object.fromEntries(found) as Record<Way, Summary>); // every way had its turn
    say(`round ${round + 1} of ${plan.rounds}`);
  }
  const all = ways.map((way) => [way, medians(rounds.map((round) => round[way]))] as const);
  return {
    ways: Object.fromEntries(all) as Record<Way, Summary>, // every way
    ratio: (way, baseline) =>
      median(rounds.map((round) => round[way].throughput / round[baseline].throughput)),
  };
};
