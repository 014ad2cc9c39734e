/** Some are requested far more often than others: the rank r has a share proportional to 1/r. */
import type { Random } from "./random.ts";

const resolution = 2 ** 30;

/** Draws ranks from 0 to `count` - 1. */
export const zipf = (random: Random, count: number): (() => number) => {
  const cumulative = new Float64Array(count);
  let sum = 0;
  for (let rank = 0; rank < count; rank++) cumulative[rank] = sum += 1 / (rank + 1);
  return () => {
    const drawn = (random.integer(resolution) / resolution) * sum;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((cumulative[middle] ?? 0) > drawn) high = middle;
      else low = middle + 1;
    }
    return low;
  };
};
