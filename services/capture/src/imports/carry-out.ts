import type { Gid } from "@ikg/contracts";
import { closeImport } from "./end-import.ts";
import { type ImportParts, stagingOf } from "./imports.ts";
import { Interrupted, writeImport } from "./write-import.ts";

/** How often a worker asks whether its import is still wanted. */
const askMs = 2_000;

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
 * Carries out an import that waits, or goes on with one that a worker left, as long as the turn of its project lasts. Whose it is and how it stands says its record:
 * the queue knows no more than its id.
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
  // Deleted, or not yet heard of here: its records go with it, or another process knows it.
  if (project?.ikgStatus !== "ACTIVE") return "left";
  const record = await records.start(id, now().toISOString());
  if (record === undefined) return "over";
  if (record.pk !== project.pk) {
    const reason = "the project has another database now";
    await records.end(id, { status: "failed", reason, now: now().toISOString() });
    return "over";
  }

  let unwanted = false;
  const asking = setInterval(() => {
    // A moment in which it cannot be asked says nothing.
    Promise.all([records.find(id, projectId), projects.project(projectId)]).then(
      ([found, known]) => void (unwanted = found?.status !== "running" || known?.ikgStatus !== "ACTIVE"),
      () => undefined,
    );
  }, askMs);
  const check = (): void => {
    if (unwanted || signal.aborted) throw new Interrupted();
    if (isTurnOver()) throw new TurnOver();
  };
  try {
    await writeImport({ staging: stagingOf(parts, project, id), project, now, onRepeat, check });
  } catch (error) {
    if (error instanceof TurnOver) return "turn over";
    if (error instanceof Interrupted && !signal.aborted) return "over";
    throw error;
  } finally {
    clearInterval(asking);
  }
  const done = await records.end(id, { status: "done", now: now().toISOString() });
  if (done !== undefined) await closeImport(parts, project, done);
  return "over";
};
