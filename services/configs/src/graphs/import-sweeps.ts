import {
  importChunkLabel,
  importLabel,
  importRejectionLabel,
  projectNamesLabel,
  trustRangeLabel,
} from "@ikg/physical";

/** A statement that removes so many things at once, and says how many it found. */
export interface Sweep {
  readonly text: string;
  readonly batch: number;
}

/** Records of a project's imports, which lie in the shared database. Parameter: `id`. */
export const importRecordsSweep: Sweep = {
  batch: 1_000,
  text: `MATCH (i:${importLabel} {project_id: $id}) WITH i LIMIT 1000 DELETE i RETURN count(*) AS removed`,
};

const staged = (label: string, batch: number): Sweep => ({
  batch,
  text: [
    `MATCH (s:${label}) WHERE s.key STARTS WITH $prefix`,
    `WITH s LIMIT ${batch} DELETE s RETURN count(*) AS removed`,
  ].join(" "),
});

/**
 * What is staged of imports, ranges of runs of the scorer and the list of names, where the graph of their project lies; chunks are large.
 * Parameter: `prefix`.
 */
export const stagedSweeps: readonly Sweep[] = [
  staged(importChunkLabel, 50),
  staged(importRejectionLabel, 1_000),
  staged(trustRangeLabel, 1_000),
  staged(projectNamesLabel, 1_000),
];
