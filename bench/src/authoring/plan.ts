/** What is measured for how long, and the targets. */

export const plan = {
  seed: 20_261,
  /** Each simulation, with the searches that it stands beside, so often. */
  rounds: 3,
  /** Subjects whose searches are timed in each round; all of them would take an hour. */
  searchedSubjects: 400,
  /** Searches at one time. */
  searchers: 8,
  /** Decisions of another project, without and with a simulation beside them, in turns. */
  beside: { rounds: 5, roundMs: 4_000, warmUpMs: 3_000, callers: 8 },
  /** Policies of one change set. */
  policies: 100,
  questions: 5_000,
} as const;

export const targets = {
  firstLineMs: 1_500,
  hundredThousandMs: 5_000,
  millionMs: 30_000,
  /** Budget of an estimate, in milliseconds. */
  estimateMs: 5_000,
  /** Width of the 95 % interval as a share of the count. */
  width: 0.05,
  besideThroughput: 0.75,
  besideP99: 2,
  changeSetMs: 2_000,
  seenMs: 2_000,
  memoryMb: 150,
} as const;
