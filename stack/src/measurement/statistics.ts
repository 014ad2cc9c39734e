/** What a round of measurements comes to. */

export interface Round {
  /** milliseconds of each call, in any order */
  readonly latencies: Float64Array;
  /** milliseconds from the first call to the last answer */
  readonly elapsed: number;
}

export interface Summary {
  /** milliseconds */
  readonly p50: number;
  /** milliseconds */
  readonly p99: number;
  /** calls per second */
  readonly throughput: number;
}

/**
 * The smallest value that at least the share `p` of all values does not exceed (nearest rank).
 *
 * @param sorted ascending, at least one
 * @param p above 0, at most 1
 */
export const percentile = (sorted: Float64Array | readonly number[], p: number): number => {
  const value = sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)];
  if (value === undefined) throw new Error("a percentile of nothing");
  return value;
};

/** The middle one, or the mean of the two in the middle. */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new Error("a median of nothing");
  return (upper + lower) / 2;
};

export const summarize = ({ latencies, elapsed }: Round): Summary => {
  const sorted = latencies.toSorted();
  return {
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    throughput: (sorted.length / elapsed) * 1000,
  };
};

/** Medians over rounds, each figure by itself. */
export const medians = (rounds: readonly Summary[]): Summary => ({
  p50: median(rounds.map(({ p50 }) => p50)),
  p99: median(rounds.map(({ p99 }) => p99)),
  throughput: median(rounds.map(({ throughput }) => throughput)),
});
