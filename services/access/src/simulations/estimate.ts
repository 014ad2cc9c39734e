import type { SimulatedCount } from "@ikg/contracts";

/** Pairs of the subjects that were examined: enough to say how many all subjects have. */
export interface Tally {
  examined: number;
  sum: number;
  squares: number;
  cubes: number;
  /** Subjects with a pair. */
  having: number;
  largest: number;
}

export const emptyTally = (): Tally => ({ examined: 0, sum: 0, squares: 0, cubes: 0, having: 0, largest: 0 });

/** Adds one subject. */
export const addTo = (tally: Tally, pairs: number): void => {
  tally.examined += 1;
  tally.sum += pairs;
  tally.squares += pairs * pairs;
  tally.cubes += pairs ** 3;
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
 * How far the upper end is moved because few subjects have many pairs: a sample rarely holds those, and then both its mean
 * and its spread are too small. The correction of a mean for skewness is that of Johnson (1978), as Chen (1995) bounds with it.
 */
const skewShift = ({ examined, sum, squares, cubes, largest }: Tally, variance: number): number => {
  if (variance === 0) return 0;
  const mean = sum / examined;
  const third = cubes / examined - (3 * mean * squares) / examined + 2 * mean ** 3;
  const skewed = (Math.max(0, third) / (6 * variance * examined)) * (1 + 2 * quantile * quantile);
  // A tail whose variance is the size of its largest values is corrected for by one subject more like the largest one.
  return skewed + largest / examined;
};

/**
 * The number of pairs of all subjects from those of a random sample without replacement, with its 95 % interval: the
 * normal approximation with the correction for a finite population, and for skewness at the upper end. Where few subjects
 * of the sample have a pair at all, the upper end is that of their share, each with as many pairs as the largest one.
 *
 * @param of all subjects
 */
export const estimate = (tally: Tally, of: number): SimulatedCount => {
  const { examined, sum, squares, having, largest } = tally;
  if (examined >= of) return { count: sum, exact: true };
  if (examined === 0) return { count: 0, exact: false };
  const mean = sum / examined;
  const count = Math.round(mean * of);
  const variance = examined < 2 ? 0 : Math.max(0, (squares - examined * mean * mean) / (examined - 1));
  const rest = of - examined;
  const spread = quantile * of * Math.sqrt((rest * variance) / of / examined);
  const upper = count + spread + rest * skewShift(tally, variance);
  const rare = sum + Math.ceil(rest * highestShare(having, examined) * Math.max(1, largest));
  const high = Math.ceil(having < fewHaving ? Math.max(rare, upper) : upper);
  return { count, exact: false, low: Math.max(sum, Math.floor(count - spread)), high };
};
