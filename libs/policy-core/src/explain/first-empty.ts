import type { Dialogue } from "./dialogue.ts";

/** What was found by halving. */
interface FirstEmpty {
  readonly index: number;
  /** False when a statement did not finish: the part found is then the first after which no row was seen in time. */
  readonly certain: boolean;
}

/**
 * The first of `count` texts without a row, the last of which has none; each has only rows of the one before.
 * Asks about the logarithm of `count` many.
 */
export function* firstEmpty(
  count: number,
  text: (index: number) => string,
): Dialogue<FirstEmpty | undefined> {
  if (count === 0) return undefined;
  let certain = true;
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    const answer = yield text(middle);
    if (answer === undefined) certain = false;
    if (answer !== undefined && answer.length > 0) low = middle + 1;
    else high = middle;
  }
  return { index: low, certain };
}
