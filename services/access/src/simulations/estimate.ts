import type { SimulatedCount } from "@ikg/contracts";

/** Pairs of the subjects that were examined: enough to say how many all subjects have. */
export interface Tally {
  examined: number;
  sum: number;
  squares: number;
  /** Subjects with a pair. */
  having: number;
  largest: number;
}

export const emptyTally = (): Tally => ({ examined: 0, sum: 0, squares: 0, having: 0, largest: 0 });

/** Adds one subject. */
export const addTo = (tally: Tally, pairs: number): void => {
  tally.examined += 1;
  tally.sum += pairs;
  tally.squares += pairs * pairs;
  if (pairs > 0) tally.having += 1;
  tally.largest = Math.max(tally.largest, pairs);
};

/** The two-sided 95 % quantile of the normal distribution. */
const quantile = 1.959_964;
/** So few subjects with a pair say nothing about the spread of the others. */
const fewHaving = 30;

/** The highest share that is consistent with `having` of `examined`: Wilson's interval for a proportion. */
const highestShare = (having: number, examined: number): number => {
  const square = quantile * quantile;
  const share = having / examined;
  const centre = share + square / (2 * examined);
  const spread = quantile * Math.sqrt((share * (1 - share) + square / (4 * examined)) / examined);
  return Math.min(1, (centre + spread) / (1 + square / examined));
};

/**
 * The number of pairs of all subjects from those of a random sample without replacement, with its 95 % interval: the
 * normal approximation with the correction for a finite population. Where few subjects of the sample have a pair at all, the
 * upper end is that of their share, each with as many pairs as the largest one.
 *
 * @param of all subjects
 */
export const estimate = ({ examined, sum, squares, having, largest }: Tally, of: number): SimulatedCount => {
  if (examined >= of) return { count: sum, exact: true };
  if (examined === 0) return { count: 0, exact: false };
  const mean = sum / examined;
  const count = Math.round(mean * of);
  const variance = examined < 2 ? 0 : Math.max(0, (squares - examined * mean * mean) / (examined - 1));
  const spread = quantile * of * Math.sqrt(((1 - examined / of) * variance) / examined);
  const rest = of - examined;
  const rare = sum + Math.ceil(rest * highestShare(having, examined) * Math.max(1, largest));
  const high = Math.ceil(having < fewHaving ? Math.max(rare, count + spread) : count + spread);
  return { count, exact: false, low: Math.max(sum, Math.floor(count - spread)), high };
};
