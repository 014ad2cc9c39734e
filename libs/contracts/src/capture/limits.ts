/** Limits of capture. Lengths are in code points. */
export const captureLimits = {
  batch: 250,
  bodyBytes: 10 * 1024 * 1024,
  string: 65_536,
  listEntries: 1_000,
  /** Of all texts of a list together. */
  listCharacters: 262_144,
  properties: 1_000,
  labels: 32,
  customMetadata: 64,
  /** Names in one item of a delete. */
  names: 250,
} as const;
