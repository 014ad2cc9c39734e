import type { WaitingRow } from "./waiting-row.ts";

/** Into how many parts the rows of a statement go that ran out of time: 256 rows are alone after two of its kind. */
const partsAfterTimeout = 16;
/** After any other failure the rows are halved: such a statement fails at once, so that further steps take no time. */
const partsAfterFailure = 2;
/** The shortest run in milliseconds: one that is stopped sooner proves nothing about its rows. */
const leastRunMs = 20;

/** How often rows are split until each is alone, when every statement with them times out. */
const attemptsOf = (rows: number): number => {
  let attempts = 1;
  for (let left = rows; left > 1; left = Math.ceil(left / partsAfterTimeout)) attempts += 1;
  return attempts;
};

/**
 * An equal share of the time that is left for each attempt, and one for those that wait behind this one. The row with the least
 * time left says how much that is.
 */
export const runLimitOf = (entries: readonly WaitingRow[], hasWaitingRows: boolean): number => {
  const open = entries.filter((entry) => entry.open);
  const earliest = Math.min(...open.map(({ deadline }) => deadline));
  const shares = attemptsOf(open.length) + (hasWaitingRows ? 1 : 0);
  return Math.max(leastRunMs, (earliest - performance.now()) / shares);
};

/** The rows of a statement that failed, in parts of about the same size. */
export const partsOf = (rows: readonly WaitingRow[], isTimeout: boolean): (readonly WaitingRow[])[] => {
  const size = Math.ceil(rows.length / (isTimeout ? partsAfterTimeout : partsAfterFailure));
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, part) =>
    rows.slice(part * size, (part + 1) * size),
  );
};
