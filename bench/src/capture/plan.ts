/** What is measured how often, and the targets. */

export const plan = {
  seed: 20_262,
  /** items of one request: as many as it may have */
  batch: 250,
  /** requests of a round at most, and milliseconds after which it takes no other */
  requests: 40,
  roundMs: 1_000,
  rounds: 5,
  callers: [1, 4],
  /** nodes that are there before */
  stock: 10_000,
  import: { nodes: 20_000, relationships: 40_000, rounds: 3, connections: 4, batch: 1_000 },
} as const;

/** Items in a second as a share of the raw driver's. */
export const targets = { capture: 0.8, import: 0.7 } as const;
