const steps = 10_000;
/** Less than any difference between two scores: a half that a float shows as slightly less is still a half. */
const tolerance = 1e-8;

/** A score as it is stored: within [0, 1], four decimals, halves up. */
export const roundScore = (score: number): number =>
  Math.floor(Math.min(1, Math.max(0, score)) * steps + 0.5 + tolerance) / steps;

/**
 * The arithmetic mean of what `of` says of each; 0 of none. Sums of floats depend on their order, and properties have
 * none: the smallest comes first.
 */
export const mean = <T>(items: readonly T[], of: (item: T) => number): number => {
  if (items.length === 0) return 0;
  let sum = 0;
  for (const score of items.map(of).sort((a, b) => a - b)) sum += score;
  return sum / items.length;
};
