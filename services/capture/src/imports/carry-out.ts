import type { Gid } from "@ikg/contracts";
import { closeImport } from "./end-import.ts";
import { openImportPace } from "./import-pace.ts";
import { type ImportParts, stagingOf } from "./imports.ts";
import { Interrupted, writeImport } from "./write-import.ts";

/** How often a worker checks whether its import was cancelled. */
const pollMs = 2_000;

export interface CarryOutParts extends ImportParts {
  readonly onRepeat: () => void;
  /** Called with the rows of every chunk that was written. */
  readonly onRows: (project: Gid, rows: number) => void;
  /** True when the turn of the project is over; looked at before every chunk. */
  readonly isTurnOver: () => boolean;
}

/** How an attempt at an import ended. */
export interface Attempt {
  /** It is over, the turn of its project is, or its project cannot be written by this process now. */
  readonly end: "over" | "turn over" | "left";
  /** Milliseconds that the project rests before its next turn, by its limit of rows in a second. */
  readonly restMs: number;
}

const over: Attempt = { end: "over", restMs: 0 };

/** The turn of the project is over. */
class TurnOver extends Error {
  override readonly name = "TurnOver";
}

/**
 * Writes an import that waits, or continues one that a worker left, as long as the turn of its project lasts. The record of
 * the import holds its project and its state; the queue knows its id alone.
 *
 * @param signal aborted when this process ends.
 * @throws Interrupted when the signal is aborted, and as the graph: what is not written yet is still staged.
 */
export const carryOut = async (parts: CarryOutParts, id: Gid, signal: AbortSignal): Promise<Attempt> => {
  const { records, projects, now, onRepeat, onRows, isTurnOver } = parts;
  const waiting = await records.read(id);
  if (waiting === undefined) return over;
  const { projectId } = waiting;
  const project = await projects.project(projectId);
  // Deleted, so that its imports are removed too, or not yet known to this process.
  if (project?.ikgStatus !== "ACTIVE") return { end: "left", restMs: 0 };
  const record = await records.start(id, now().toISOString());
  if (record === undefined) return over;
  if (record.pk !== project.pk) {
    const reason = "the project has another database now";
    await records.end(id, { status: "failed", reason, now: now().toISOString() });
    return over;
  }
  const pace = openImportPace(project.limits.import_rows_per_second);
  const ended = (end: Attempt["end"]): Attempt => ({ end, restMs: Math.max(0, pace.restMs()) });

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
    if (error instanceof TurnOver) return ended("turn over");
    if (error instanceof Interrupted && !signal.aborted) return ended("over");
    throw error;
  } finally {
    clearInterval(polling);
  }
  const done = await records.end(id, { status: "done", now: now().toISOString() });
  if (done !== undefined) await closeImport(parts, project, done);
  return ended("over");
};
