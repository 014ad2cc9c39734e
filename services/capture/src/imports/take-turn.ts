import type { Job } from "bullmq";
import type { Gid } from "@ikg/contracts";
import { isTemporaryFailure } from "@ikg/graph";
import { addOrganization, type openQueueTurn, type OrganizationTurns, requeue } from "@ikg/queues";
import type { Service } from "@ikg/service";
import { type Attempt, runImport, type RunImportParts } from "./run-import.ts";
import type { ImportParts } from "./imports.ts";
import type { StoppedImport, TurnJob } from "./turn-job.ts";
import { Interrupted } from "./write-import.ts";

/** What the turns of this process work with. */
export interface TurnParts extends ImportParts {
  readonly log: Service["log"];
  readonly tracing: Service["tracing"];
  readonly onRepeat: () => void;
  readonly onRows: RunImportParts["onRows"];
  readonly openTurn: () => ReturnType<typeof openQueueTurn>;
  readonly organizations: OrganizationTurns<TurnJob>;
  /** Registers a write under way, which closing waits for. */
  readonly track: <T>(write: Promise<T>) => Promise<T>;
  /** Aborted when the process ends. */
  readonly signal: AbortSignal;
}

/** Attempts of an import that fails for another reason than a temporary one. */
const maxAttempts = 3;

/** An import stopped for the reason in `cause`. */
class ImportStopped extends Error {
  override readonly name = "ImportStopped";
  readonly id: Gid;

  constructor(id: Gid, cause: unknown) {
    super("an import stopped", { cause });
    this.id = id;
  }
}

/** Writes the oldest import of a project, or a part of it. @returns undefined when the project has none */
const writeNext = async (
  parts: TurnParts,
  { project, traceparent }: TurnJob,
): Promise<Attempt | undefined> => {
  const { records, openTurn, signal, track, tracing } = parts;
  const record = await records.next(project);
  if (record === undefined) return undefined;
  const turn = openTurn();
  try {
    const write = tracing.job("import", traceparent, () =>
      runImport({ ...parts, isTurnOver: turn.isOver }, record.id, signal),
    );
    return await track(write);
  } catch (error) {
    throw error instanceof Interrupted ? error : new ImportStopped(record.id, error);
  } finally {
    turn.end();
  }
};

/** Stores in the job that an import stopped. @returns true when that was its last attempt, and it has failed */
const endAfterLastAttempt = async (
  { log, now, records }: TurnParts,
  job: Job<TurnJob>,
  { id, cause }: ImportStopped,
): Promise<boolean> => {
  const former: Partial<StoppedImport> = job.data.stopped?.id === id ? job.data.stopped : {};
  const { times = 0, permanent = 0 } = former;
  const stopped = { id, times: times + 1, permanent: permanent + (isTemporaryFailure(cause) ? 0 : 1) };
  await job.updateData({ ...job.data, stopped });
  const isLast = stopped.permanent >= maxAttempts;
  log.warn(isLast ? "an import failed" : "an import stopped; retrying", {
    import: id,
    error: cause,
  });
  if (!isLast) return false;
  const reason = `writing its rows failed ${maxAttempts} times; the log of capture has the cause`;
  await records.end(id, { status: "failed", reason, now: now().toISOString() });
  return true;
};

/** Handles the failure of a turn. @returns true when its job needs no pause before its next turn */
const handleFailure = async (parts: TurnParts, job: Job<TurnJob>, error: unknown): Promise<boolean> =>
  error instanceof Interrupted ||
  (error instanceof ImportStopped && (await endAfterLastAttempt(parts, job, error)));

/**
 * One turn of a project. While it may have more imports its job waits for the next turn, after the pause that the limit of
 * rows in a second requires. A project that cannot be written now waits 30 seconds.
 *
 * @throws the error that stopped an import which is tried again.
 */
export const takeTurn = async (
  parts: TurnParts,
  job: Job<TurnJob>,
  token: string | undefined,
): Promise<void> => {
  const { organizations, projects } = parts;
  await addOrganization(projects, job);
  await organizations.beginTurn(job);
  let attempt: Attempt | undefined;
  try {
    attempt = await writeNext(parts, job.data);
  } catch (error) {
    let needsNoPause = false;
    try {
      needsNoPause = await handleFailure(parts, job, error);
    } finally {
      await organizations.endTurn(job, !needsNoPause);
    }
    if (needsNoPause) return requeue(job, token);
    throw error instanceof ImportStopped ? error.cause : error;
  }
  if (attempt === undefined) return organizations.releaseWorker(job);
  await organizations.endTurn(job, attempt.pauseMs > 0);
  await requeue(job, token, attempt.pauseMs);
};
