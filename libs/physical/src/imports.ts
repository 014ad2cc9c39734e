import { projectPrefix } from "./key-ranges.ts";

/**
 * Where imports are stored until they are written. The record of an import is in the shared database;
 * its chunks and rejected lines in the database of its project, so that a chunk and its rows are one transaction. None
 * of these nodes carries a label of graph data, so no pattern of a policy can find one.
 */
export const importLabel = "_Import";

/** Additional label of imports that have not ended. */
export const openImportLabel = "_ImportOpen";

/** Rows that are still to be written: property `data` holds them compressed, `rows` says how many. */
export const importChunkLabel = "_ImportChunk";

/** A line that was not written: properties `line` and `errors`; or how many more there are: property `more`. */
export const importRejectionLabel = "_ImportRejection";

/** Label of rejected lines and chunks together, in their order of removal. */
export const stagedLabels = [importChunkLabel, importRejectionLabel] as const;

/** What the keys of everything staged for an import begin with. */
export const importPrefix = (projectId: string, importId: string): string =>
  `${projectPrefix(projectId)}${importId}/`;

const padded = (value: number, digits: number): string => String(value).padStart(digits, "0");

/** What the keys of the chunks of one bucket begin with. Keys sort as their numbers do. */
export const bucketPrefix = (importKeyPrefix: string, bucket: number): string =>
  `${importKeyPrefix}${padded(bucket, 3)}/`;

/** The key of a chunk. */
export const chunkKey = (importKeyPrefix: string, bucket: number, number: number): string =>
  bucketPrefix(importKeyPrefix, bucket) + padded(number, 9);

/** The key of a rejected line. */
export const rejectionKey = (importKeyPrefix: string, line: number): string =>
  importKeyPrefix + padded(line, 15);

/** The key of the count of rejected lines of a bucket that are not kept: after those of all rejected lines. */
export const notKeptKey = (importKeyPrefix: string, bucket: number): string =>
  `${importKeyPrefix}more/${padded(bucket, 3)}`;
