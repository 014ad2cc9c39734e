import type { Gid } from "@ikg/contracts";
import { closeImport } from "./end-import.ts";
import { forgetImport } from "./forget-import.ts";
import type { ImportParts } from "./imports.ts";
import type { ImportRecord } from "./records.ts";

const minute = 60_000;
/** An intake that was not heard of for so long has ended with its process. */
const silentMs = 10 * minute;
/** How long an import that has ended can be asked for. */
const keptMs = 7 * 24 * 60 * minute;

export interface ReconcilerParts extends ImportParts {
  /** Sees to it that a worker takes the imports of a project; nothing happens when one does already. */
  readonly enqueue: (project: Gid) => void;
  readonly log: { warn(message: string, fields?: Record<string, unknown>): unknown };
}

const careFor = async (parts: ReconcilerParts, record: ImportRecord): Promise<void> => {
  if (record.status === "receiving") {
    if (parts.now().getTime() - Date.parse(record.heardTime) > silentMs) await forgetImport(parts, record);
    return;
  }
  const project = await parts.projects.project(record.projectId);
  if (project !== undefined) await closeImport(parts, project, record);
};

/**
 * Looks once for what nobody is at: imports without a job, intakes whose process is gone, cancelled imports whose rows
 * still lie there, and imports whose time is over. Any number of processes may do so at once.
 */
export const reconcile = async (parts: ReconcilerParts): Promise<void> => {
  const { records, log, now } = parts;
  const each = async (record: ImportRecord, care: () => Promise<void>): Promise<void> => {
    try {
      await care();
    } catch (error) {
      log.warn("an import cannot be reconciled now; it is tried again", { import: record.id, error });
    }
  };
  for (const project of await records.waiting()) parts.enqueue(project);
  for (const record of await records.open()) await each(record, () => careFor(parts, record));
  const before = new Date(now().getTime() - keptMs).toISOString();
  for (const record of await records.expired(before)) await each(record, () => forgetImport(parts, record));
};
