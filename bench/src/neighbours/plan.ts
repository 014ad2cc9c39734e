/** What is measured for how long, and the targets. */

/** Kinds of requests of the light tenant, in a second. */
export const rates = { decision: 20, query: 5, capture: 2 } as const;

export type Kind = keyof typeof rates;

export const kinds = Object.keys(rates) as readonly Kind[]; // the keys of the record

/** Multiples of what the light tenant has alone, at most. */
export const targets: Readonly<Record<Kind, { readonly p50: number; readonly p99: number }>> = {
  decision: { p50: 1.5, p99: 2 },
  query: { p50: 2, p99: 3 },
  capture: { p50: 2, p99: 3 },
};

/** Of the throughput that the heavy tenant has alone without limits, at least. */
export const aloneTarget = 0.9;

export const plan = {
  rounds: 3,
  warmUpMs: 30_000,
  /** each load before the first round: the first statements of a kind are planned and compiled */
  loadWarmUpMs: 5_000,
  /** between a phase beside a load and the next one: what cancelled imports have staged is removed meanwhile */
  settleMs: 10_000,
  /** how long the answers to a load that has ended are awaited */
  drainMs: 20_000,
  /** the heavy tenant without neighbours: under the limits of the suite and without them */
  alone: { rounds: 5, roundMs: 3_000, warmUpMs: 3_000, callers: 28 },
} as const;

/** Sizes of the loads; each runs until its phase ends. */
export const sizes = {
  slowCallers: 16,
  queries: 28,
  memoryQueries: 16,
  pipelined: 120,
  imports: 10,
  importRows: 10_000,
  tokenCallers: 16,
  auditCallers: 4,
  /** Bytes of the parameters of one evaluation whose record is large. */
  auditBytes: 1_800_000,
  /** Pause of a caller that was refused, in ms: what a well-behaved client waits is longer, and would spare the suite more. */
  refusedMs: 20,
  /** Between two looks at an import that has not ended. */
  pollMs: 250,
} as const;
