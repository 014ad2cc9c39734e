/** Files of an export; each line is the canonical text of one artefact. */
export const exportFiles = {
  keys: "jwks.json",
  manifests: "manifests.ndjson",
  batches: "batches.ndjson",
  checkpoints: "checkpoints.ndjson",
} as const;

export type ExportFile = keyof typeof exportFiles;
