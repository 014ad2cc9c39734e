import type { Gid } from "@ikg/contracts";
import { closeImport } from "./close-import.ts";
import { openImportPace } from "./import-pace.ts";
import { type ImportParts, stagingOf, hasMoved } from "./imports.ts";
import { Interrupted, writeImport } from "./write-import.ts";

/** How often a worker checks whether its import was cancelled. */
const pollMs = 2_000;

export interface RunImportParts extends ImportParts {
  readonly onRepeat: () => void;
  /** Called with the rows of every chunk that was written. */
  readonly onRows: (project: Gid, rows: number) => void;
  /** True when the turn of the project is over; checked before every chunk. */
  readonly isTurnOver: () => boolean;
}

/** What an attempt at an import leaves to its project. */
export interface Attempt {
  /** Milliseconds until the project's next turn: by its limit of rows in a second, or because it cannot be written now. */
  readonly restMs: number;
}

const done: Attempt = { restMs: 0 };
/** Its next turn checks again; without a pause it would follow at once. */
const skipped: Attempt = { restMs: 30_000 };

/** The turn of the project is over. */
class TurnOver extends Error {
  override readonly name = "TurnOver";
}

/**
 * Writes a waiting import, or continues one that a worker abandoned, as long as the turn of its project lasts. The record of
 * the import holds its project and its state; the queue holds only its id.
 *
 * @param signal aborted when this process ends.
 * @throws Interrupted when the signal is aborted, and as the graph: what is not written yet is still staged.
 */
export const runImport = async (parts: RunImportParts, id: Gid, signal: AbortSignal): Promise<Attempt> => {
  const { records, projects, now, onRepeat, onRows, isTurnOver } = parts;
  const waiting = await records.read(id);
  if (waiting === undefined) return done;
  const { projectId } = waiting;
  const project = await projects.project(projectId);
  // The project was deleted with its imports, or is not yet known to this process.
  if (project?.ikgStatus !== "ACTIVE") return skipped;
  if (hasMoved(waiting, project)) {
    const reason = "the project has another database now";
    await records.end(id, { status: "failed", reason, now: now().toISOString() });
    return done;
  }
  const record = await records.start(id, now().toISOString());
  if (record === undefined) return done;
  const pace = openImportPace(project.limits.import_rows_per_second);
  const ended = (): Attempt => ({ restMs: Math.max(0, pace.restMs()) });

  let isCancelled = false;
  const polling = setInterval(() => {
    // A check that fails is repeated with the next one.
    Promise.all([records.find(id, projectId), projects.project(projectId)]).then(
      ([found, known]) => void (isCancelled = found?.status !== "running" || known?.ikgStatus !== "ACTIVE"),
      () => undefined,
    );
  }, pollMs);
  const check = async (): Promise<void> => {
    const isInTime = await pace.mayGoOn(signal);
    if (isCancelled || signal.aborted) throw new Interrupted();
    if (!isInTime || isTurnOver()) throw new TurnOver();
  };
  const onWritten = (rows: number): void => {
    pace.wrote(rows);
    onRows(projectId, rows);
  };
  const { rejectionsKept } = record;
  const staging = stagingOf(parts, project, id);
  try {
    await writeImport({ staging, project, now, rejectionsKept, onRepeat, onWritten, check });
  } catch (error) {
    if (error instanceof TurnOver || (error instanceof Interrupted && !signal.aborted)) return ended();
    throw error;
  } finally {
    clearInterval(polling);
  }
  const closing = await records.end(id, { status: "done", now: now().toISOString() });
  if (closing !== undefined) await closeImport(parts, project, closing);
  return ended();
};
