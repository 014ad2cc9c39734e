import { importChunkLabel, importRejectionLabel } from "@ikg/physical";
import { type ImportParts, stagingOf } from "./imports.ts";
import type { ImportRecord } from "./records.ts";

/** Removes everything of an import. */
export const forgetImport = async (parts: ImportParts, record: ImportRecord): Promise<void> => {
  const project = await parts.projects.project(record.projectId);
  // The project is deleted: the removal of its graph removes this too.
  if (project === undefined) return;
  const staging = stagingOf(parts, project, record.id);
  await staging.remove(importChunkLabel);
  await staging.remove(importRejectionLabel);
  await parts.records.remove(record.id);
};
