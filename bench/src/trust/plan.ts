/** What is measured, and the targets. */

export const plan = {
  seed: 20_263,
  /** nodes of each type before anything counts */
  warmUp: 20_000,
  batch: 1_000,
  /** runs compared with the raw driver, the variants interleaved */
  rounds: 5,
  roundNodes: 20_000,
  /** of the type that is scored while evaluations are asked, at most */
  beside: 200_000,
  callers: 16,
  loadMs: 10_000,
} as const;

export const targets = {
  /** rows in a second as a share of the raw driver's */
  rate: 0.6,
  memoryMb: 200,
  /** "flat": what two readings of memory that does not grow may differ by */
  flat: 1.15,
  /** of the evaluations' throughput and p99 while nothing is scored */
  throughput: 0.7,
  p99: 2,
} as const;
