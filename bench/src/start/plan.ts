/** What is measured for how long, and the marks of the issue. */

export const plan = {
  /** starts of each service; the first does not count */
  starts: 6,
  callers: 64,
  /** of each load */
  loadMs: 5_000,
} as const;

/** A service is ready so soon after its process began. */
export const marks = { readyMs: 600 } as const;

/** The services, as the suite names their processes. */
export const services = [
  "gateway",
  "configs",
  "capture",
  "access",
  "ciq",
  "mcp",
  "audit",
  "trust-scorer",
] as const;

export type Service = (typeof services)[number];
