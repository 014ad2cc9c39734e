/** Names by which `--load` chooses what the heavy tenant does; `everything` is all of them at once. */
export const loadNames = [
  "slow-policy",
  "brief-queries",
  "heavy-queries",
  "memory-queries",
  "pipelined-searches",
  "imports",
  "invalid-tokens",
  "audit-records",
  "everything",
] as const;

export type LoadName = (typeof loadNames)[number];
