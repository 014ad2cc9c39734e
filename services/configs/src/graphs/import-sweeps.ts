import {
  importChunkLabel,
  importLabel,
  importRejectionLabel,
  projectNamesLabel,
  trustRangeLabel,
} from "@ikg/physical";
import type { Sweep } from "./sweep.ts";

/** Records of a project's imports, which lie in the shared database. Parameter: `id`. */
export const importRecordsSweep: Sweep = {
  batch: 1_000,
  text: (limit) =>
    `MATCH (i:${importLabel} {project_id: $id}) WITH i LIMIT ${limit} DELETE i RETURN count(*) AS removed`,
};

const staged = (label: string, batch: number): Sweep => ({
  batch,
  text: (limit) =>
    [
      `MATCH (s:${label}) WHERE s.key STARTS WITH $prefix`,
      `WITH s LIMIT ${limit} DELETE s RETURN count(*) AS removed`,
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
