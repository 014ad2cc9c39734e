import { importChunkLabel, importRejectionLabel } from "@ikg/physical";
import { closeImport } from "./end-import.ts";
import { type ImportParts, stagingOf } from "./imports.ts";
import type { ImportRecord } from "./records.ts";

const minute = 60_000;
/** An intake that was not heard of for so long has ended with its process. */
const silentMs = 10 * minute;
/** How long an import that has ended can be asked for. */
const keptMs = 7 * 24 * 60 * minute;

export interface HousekeepingParts extends ImportParts {
  /** Sees to it that a worker takes an import; nothing happens when one does already. */
  readonly enqueue: (record: ImportRecord) => void;
  readonly log: { warn(message: string, fields?: Record<string, unknown>): unknown };
}

/** Removes everything of an import. */
const forget = async (parts: ImportParts, record: ImportRecord): Promise<void> => {
  const project = await parts.projects.project(record.projectId);
  // Of a deleted project: whoever removes its graph removes this too.
  if (project === undefined) return;
  const staging = stagingOf(parts, project, record.id);
  await staging.remove(importChunkLabel);
  await staging.remove(importRejectionLabel);
  await parts.records.remove(record.id);
};

const careFor = async (parts: HousekeepingParts, record: ImportRecord): Promise<void> => {
  if (record.status === "queued" || record.status === "running") {
    parts.enqueue(record);
    return;
  }
  if (record.status === "receiving") {
    if (parts.now().getTime() - Date.parse(record.heardTime) > silentMs) await forget(parts, record);
    return;
  }
  const project = await parts.projects.project(record.projectId);
  if (project !== undefined) await closeImport(parts, project, record);
};

/**
 * Looks once for what nobody is at: imports without a job, intakes whose process is gone, cancelled imports whose rows
 * still lie there, and imports whose time is over. Any number of processes may do so at once.
 */
export const keepHouse = async (parts: HousekeepingParts): Promise<void> => {
  const { records, log, now } = parts;
  const each = async (record: ImportRecord, care: () => Promise<void>): Promise<void> => {
    try {
      await care();
    } catch (error) {
      log.warn("an import cannot be cared for now; it is tried again", { import: record.id, error });
    }
  };
  for (const record of await records.open()) await each(record, () => careFor(parts, record));
  const before = new Date(now().getTime() - keptMs).toISOString();
  for (const record of await records.expired(before)) await each(record, () => forget(parts, record));
};
