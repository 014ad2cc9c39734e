/** What is measured for how long, and the targets. */

export const plan = {
  seed: 20_261,
  questions: 20_000,
  decisions: { rounds: 9, roundMs: 700, warmUpMs: 5_000 },
  drive: { rounds: 5, roundMs: 1_500, warmUpMs: 3_000 },
  batch: { rounds: 5, roundMs: 1_000, warmUpMs: 1_500 },
  search: { rounds: 5, roundMs: 1_000, warmUpMs: 1_500 },
  growth: { rounds: 5, roundMs: 1_000, warmUpMs: 1_000 },
  /** many short ones, so that what disturbs the machine for a while disturbs all degrees */
  hub: { rounds: 12, roundMs: 200, warmUpMs: 500 },
  freshnessCallers: 8,
  batchSize: 50,
  searched: 1_000,
  driveCallers: 16,
} as const;

export const mostCallers = 64;

/** Target ratios to the baseline. */
export const targets = {
  /** p50 at one caller */
  aloneP50: 1.6,
  /** throughput of the service by callers */
  direct: new Map([
    [16, 2],
    [64, 4],
  ]),
  /** throughput through the gateway by callers */
  gateway: new Map([
    [16, 1.1],
    [64, 1.5],
  ]),
  /** throughput through the gateway, of Cerbos behind the same gateway */
  cerbos: 1,
  batchOfSingles: 3,
  batchOfUnwind: 1.5,
  drivePerSecond: 5_000,
  search: 1.3,
  growth: 1.6,
  /** "not with the degree": what two measurements of the same may differ by */
  degree: 1.2,
  memoryMb: 150,
} as const;
