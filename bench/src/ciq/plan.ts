/** What is measured for how long, and the targets. */

export const plan = {
  /** documents of each person who reads: the rows of one answer */
  readers: [1, 100, 1_000],
  /** documents of the person whose pages are turned */
  deep: 10_000,
  pageSize: 100,
  /** further properties of a document, which no query reads */
  properties: 20,
  rounds: { rounds: 5, roundMs: 1_000, warmUpMs: 5_000 },
} as const;

/** Ratios of the median time of an answer. */
export const targets = {
  /** to the query by hand, by rows */
  read: new Map([
    [1, 1.8],
    [100, 1.5],
    [1_000, 1.3],
  ]),
  write: 1.8,
  /** to the other library: faster */
  other: 1,
  /** the hundredth page to the first */
  deepPage: 3,
} as const;
