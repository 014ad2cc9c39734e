import type { Gid } from "@ikg/contracts";
import { closeImport } from "./close-import.ts";
import { openImportPace } from "./import-pace.ts";
import { hasMoved, type ImportParts, stagingOf } from "./imports.ts";
import { Interrupted, writeImport } from "./write-import.ts";

/** Milliseconds between two checks whether the import was cancelled. */
const pollMs = 2_000;

export interface RunImportParts extends ImportParts {
  readonly onRepeat: () => void;
  /** Called with the rows of every chunk that was written. */
  readonly onRows: (project: Gid, rows: number) => void;
  /** True when the turn of the project is over; checked before every chunk. */
  readonly isTurnOver: () => boolean;
}

/** The result of one turn of an import. */
export interface Attempt {
  /** Milliseconds until the project's next turn: by its limit of rows in a second, or because it cannot be written now. */
  readonly pauseMs: number;
}

const done: Attempt = { pauseMs: 0 };
/** The next turn checks the project again. */
const skipped: Attempt = { pauseMs: 30_000 };

/** The turn of the project is over. */
class TurnOver extends Error {
  override readonly name = "TurnOver";
}

/**
 * Writes a waiting import, or continues one that a worker abandoned, as long as the turn of its project lasts. The state of the
 * import is in its record; the queue knows only its project.
 *
 * @param signal aborted when this process ends.
 * @throws Interrupted when the signal is aborted, and as the graph: rows that are not written stay staged.
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
  const attempt = (): Attempt => ({ pauseMs: Math.max(0, pace.pauseMs()) });

  let isCancelled = false;
  const polling = setInterval(() => {
    // A check that fails is repeated with the next one.
    Promise.all([records.find(id, projectId), projects.project(projectId)]).then(
      ([found, known]) => void (isCancelled = found?.status !== "running" || known?.ikgStatus !== "ACTIVE"),
      () => undefined,
    );
  }, pollMs);
  const check = async (): Promise<void> => {
    const canContinue = await pace.canContinue(signal);
    if (isCancelled || signal.aborted) throw new Interrupted();
    if (!canContinue || isTurnOver()) throw new TurnOver();
  };
  const onWritten = (rows: number): void => {
    pace.add(rows);
    onRows(projectId, rows);
  };
  const { rejectionsKept } = record;
  const staging = stagingOf(parts, project, id);
  try {
    await writeImport({ staging, project, now, rejectionsKept, onRepeat, onWritten, check });
  } catch (error) {
    if (error instanceof TurnOver || (error instanceof Interrupted && !signal.aborted)) return attempt();
    throw error;
  } finally {
    clearInterval(polling);
  }
  const closing = await records.end(id, { status: "done", now: now().toISOString() });
  if (closing !== undefined) await closeImport(parts, project, closing);
  return attempt();
};
