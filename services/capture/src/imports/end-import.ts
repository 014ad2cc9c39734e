import { importChunkLabel } from "@ikg/physical";
import type { Project } from "../projects.ts";
import { type ImportParts, stagingOf } from "./imports.ts";
import type { ImportRecord } from "./records.ts";
import { outcomeOf } from "./state.ts";

/**
 * Closes an import that has ended: notes what became of its rows, and removes those that are not to be written any more.
 * May be repeated; rejected lines stay as long as the record does.
 */
export const closeImport = async (
  parts: ImportParts,
  project: Project,
  record: ImportRecord,
): Promise<ImportRecord> => {
  const staging = stagingOf(parts, project, record.id);
  const before = await outcomeOf(record, staging);
  await staging.remove(importChunkLabel);
  // A chunk that was being written while the import was cancelled may have rejected lines.
  const outcome = { ...before, rejected: await staging.rejected() };
  const closed = { ...record, outcome };
  await parts.ended(closed);
  await parts.records.close(record.id, outcome);
  return closed;
};
