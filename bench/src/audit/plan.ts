/** What is measured for how long, and the targets. */

export const plan = {
  seed: 20_264,
  questions: 20_000,
  callers: 16,
  decisions: { rounds: 9, roundMs: 1_500, warmUpMs: 4_000 },
  /** events of a batch */
  batch: 256,
  /** batches that a writer finds waiting at once */
  backlog: 200,
} as const;

/** Of the decisions without records; records in a second. */
export const targets = {
  throughput: 0.85,
  p99: 1.3,
  writer: 5_000,
  /** a million in a minute */
  verify: 1_000_000 / 60,
  /** a million in two */
  both: 1_000_000 / 120,
} as const;

/** Decisions that leave no record, those whose records wait in Redis, and those whose records are stored meanwhile. */
export const ways = ["without", "kept", "stored"] as const;

export type Way = (typeof ways)[number];
