/** What is measured for how long, and the targets. */

export const plan = {
  /** starts of each service; the first does not count */
  starts: 6,
  callers: 64,
  /** of each load */
  loadMs: 5_000,
} as const;

/** A service is ready so soon after its process began. */
export const targets = { readyMs: 600 } as const;
