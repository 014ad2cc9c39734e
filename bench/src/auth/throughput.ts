/** Requests in a second by each way, the variants interleaved. */
import { type Ask, inTurn, run } from "../../../stack/src/measurement/measure.ts";
import { takeTurns, type Turns, type Work } from "../../../stack/src/measurement/turns.ts";
import { plan, type Way, ways } from "./plan.ts";

/** One bearer of several, sent where the way sends one; no policy concerns the question, so it is denied. */
export interface Question {
  readonly bearer: string;
  readonly expected: false;
}

export type Asks = Readonly<Record<Way, Ask<Question>>>;

export type Throughput = Turns<Way>;

export const measureThroughput = (asks: Asks, questions: readonly Question[]): Promise<Throughput> => {
  const list = inTurn(questions);
  const work = (way: Way): [Way, Work] => [way, (ms) => run(asks[way], list, plan.callers, ms)];
  return takeTurns(Object.fromEntries(ways.map(work)) as Record<Way, Work>, plan, "requests"); // every way
};
