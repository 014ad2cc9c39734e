import { openRounds, type Rounds } from "@ikg/concurrency";

const everyMs = 10_000;

/**
 * Samples gauges that need a store every 10 s, so that a scrape never waits for it. Failures are ignored: the store's own
 * checks report them.
 */
export const sampleRepeatedly = (sample: () => Promise<void>): Pick<Rounds, "close"> => {
  const rounds = openRounds({ round: sample, everyMs, onFailure: () => undefined });
  rounds.resume();
  return rounds;
};
