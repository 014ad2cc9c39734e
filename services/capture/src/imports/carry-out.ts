import type { Gid } from "@ikg/contracts";
import { closeImport } from "./end-import.ts";
import { type ImportParts, stagingOf } from "./imports.ts";
import { Interrupted, writeImport } from "./write-import.ts";

/** How often a worker checks whether its import was cancelled. */
const pollMs = 2_000;

export interface CarryOutParts extends ImportParts {
  readonly onRepeat: () => void;
  /** True when the turn of the project is over; looked at before every chunk. */
  readonly isTurnOver: () => boolean;
}

/**
 * How an attempt at an import ended: it is over, the turn of its project is, or its project cannot be written by this
 * process now.
 */
export type Attempt = "over" | "turn over" | "left";

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
  const { records, projects, now, onRepeat, isTurnOver } = parts;
  const waiting = await records.read(id);
  if (waiting === undefined) return "over";
  const { projectId } = waiting;
  const project = await projects.project(projectId);
  // Deleted, so that its imports are removed too, or not yet known to this process.
  if (project?.ikgStatus !== "ACTIVE") return "left";
  const record = await records.start(id, now().toISOString());
  if (record === undefined) return "over";
  if (record.pk !== project.pk) {
    const reason = "the project has another database now";
    await records.end(id, { status: "failed", reason, now: now().toISOString() });
    return "over";
  }

  let isCancelled = false;
  const polling = setInterval(() => {
    // A check that fails is repeated with the next one.
    Promise.all([records.find(id, projectId), projects.project(projectId)]).then(
      ([found, known]) => void (isCancelled = found?.status !== "running" || known?.ikgStatus !== "ACTIVE"),
      () => undefined,
    );
  }, pollMs);
  const check = (): void => {
    if (isCancelled || signal.aborted) throw new Interrupted();
    if (isTurnOver()) throw new TurnOver();
  };
  try {
    await writeImport({ staging: stagingOf(parts, project, id), project, now, onRepeat, check });
  } catch (error) {
    if (error instanceof TurnOver) return "turn over";
    if (error instanceof Interrupted && !signal.aborted) return "over";
    throw error;
  } finally {
    clearInterval(polling);
  }
  const done = await records.end(id, { status: "done", now: now().toISOString() });
  if (done !== undefined) await closeImport(parts, project, done);
  return "over";
};
