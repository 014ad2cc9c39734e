/** What is measured how often, and the targets. */

export const plan = {
  /** starts of a command; the first one does not count */
  starts: 11,
  /** runs of `ikg plan` */
  plans: 3,
  /** policies of the project that `ikg plan` compares */
  records: 500,
  /** imports of each way; every row is a node and two relationships */
  rounds: 2,
} as const;

export const targets = {
  /** lines a second from CSV as a share of those from NDJSON */
  import: 0.9,
  importMb: 200,
  helpMs: 150,
  mayMs: 300,
  planMs: 2_000,
} as const;
