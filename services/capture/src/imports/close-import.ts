import { importLimits } from "@ikg/contracts";
import { importChunkLabel } from "@ikg/physical";
import type { Project } from "../projects/projects.ts";
import { forgetImport } from "./forget-import.ts";
import { type ImportParts, stagingOf } from "./imports.ts";
import type { ImportRecord } from "./records.ts";
import { outcomeOf } from "./state.ts";

/**
 * Closes an import that has ended: stores the outcome of its rows, and removes those that will not be written. Rejected lines
 * stay as long as the record does. Also removes ended imports beyond the number that a project keeps. May be repeated.
 *
 * @throws as the graph.
 */
export const closeImport = async (
  parts: ImportParts,
  project: Project,
  record: ImportRecord,
): Promise<ImportRecord> => {
  const counted = await outcomeOf(parts, record, project);
  // Several processes may close it, and closing may be repeated: staged rows that are removed would count as written.
  const before = (await parts.records.settle(record.id, counted))?.outcome ?? counted;
  await stagingOf(parts, project, record.id).remove(importChunkLabel);
  // A chunk that was being written while the import was cancelled may have rejected lines.
  const { rejected, notKept } = await outcomeOf(parts, record, project);
  const outcome = { ...before, rejected, notKept };
  const closed = { ...record, outcome };
  await parts.onEnded(closed);
  await parts.records.close(record.id, outcome);
  const surplus = await parts.records.surplus(record.projectId, importLimits.ended);
  for (const each of surplus) await forgetImport(parts, each);
  return closed;
};
