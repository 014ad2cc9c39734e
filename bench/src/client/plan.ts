/** What is measured for how long, and the targets. */
export const plan = { rounds: 5, roundMs: 2_000, warmUpMs: 2_000, seed: 20_261 } as const;

/** Callers at the same time, each with one question. */
export const callers = 64;

export const targets = {
  /** Decisions a second, joined, compared with those of the same calls one by one. */
  joinedToAlone: 4,
  /** The same compared with the raw driver. */
  joinedToDriver: 3,
  /** Milliseconds that one `can` may take longer than `fetch` with the same question, at p50. */
  overheadMs: 0.1,
} as const;
