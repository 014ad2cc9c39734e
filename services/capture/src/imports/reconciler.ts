import type { Gid } from "@ikg/contracts";
import { closeImport } from "./close-import.ts";
import { forgetImport } from "./forget-import.ts";
import type { ImportParts } from "./imports.ts";
import type { ImportRecord } from "./records.ts";

const minute = 60_000;
/** An upload without a heartbeat for this time has ended with its process. */
const silentMs = 10 * minute;
/** How long the record of an ended import is kept. */
const keptMs = 7 * 24 * 60 * minute;

export interface ReconcilerParts extends ImportParts {
  /** Enqueues the imports of a project, unless the queue has them already. */
  readonly enqueue: (project: Gid) => void;
  readonly log: { warn(message: string, fields?: Record<string, unknown>): unknown };
}

const reconcileOne = async (parts: ReconcilerParts, record: ImportRecord): Promise<void> => {
  if (record.status === "receiving") {
    if (parts.now().getTime() - Date.parse(record.heartbeatTime) > silentMs)
      await forgetImport(parts, record);
    return;
  }
  const project = await parts.projects.project(record.projectId);
  if (project !== undefined) await closeImport(parts, project, record);
};

/**
 * One pass over abandoned work: imports without a job, uploads whose process is gone, ended imports whose rows are not removed
 * yet, and records that are older than they are kept. Any number of processes may do so at once.
 *
 * @throws as the shared database; failures of single imports are logged.
 */
export const reconcile = async (parts: ReconcilerParts): Promise<void> => {
  const { records, log, now } = parts;
  const each = async (record: ImportRecord, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      log.warn("an import cannot be reconciled now; retrying", { import: record.id, error });
    }
  };
  for (const project of await records.waiting()) parts.enqueue(project);
  for (const record of await records.open()) await each(record, () => reconcileOne(parts, record));
  const before = new Date(now().getTime() - keptMs).toISOString();
  for (const record of await records.expired(before)) await each(record, () => forgetImport(parts, record));
};
