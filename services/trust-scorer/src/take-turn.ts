import type { Job, Queue } from "bullmq";
import type { Gid } from "@ikg/contracts";
import { requeue } from "@ikg/queues";
import { openQueueTurn, type Service } from "@ikg/service";
import { chooseRange, openRanges } from "./runs/choose-range.ts";
import { GivenUp, retryPolicyOf, TurnOver, withRetry } from "./runs/retry.ts";
import type { Run } from "./runs/run-record.ts";
import { type RunRange, workRange } from "./runs/work-range.ts";
import type { Scorer } from "./scorer.ts";
import { addTurns, places, turnId, type TurnJob } from "./turn-job.ts";

/** What turns work with. */
export interface TurnParts {
  readonly scorer: Scorer;
  readonly tracing: Service["tracing"];
  readonly turns: Queue<TurnJob>;
  /** Milliseconds that a turn lasts while other projects wait. */
  readonly turnMs: number;
  readonly onError: (error: Error) => void;
  /** Aborted when the process ends. */
  readonly signal: AbortSignal;
}

/** How long a project whose database is unavailable waits for its next turn. */
const unavailableMs = 5_000;

const nameOf = ({ run, range }: RunRange): string => `${run}/${range}`;

/** The ranges that the other places of a project have. */
const takenRanges = async (
  turns: Queue<TurnJob>,
  { project, place }: TurnJob,
): Promise<ReadonlySet<string>> => {
  const others = Array.from({ length: places }, (_, each) => each).filter((each) => each !== place);
  const jobs = await Promise.all(others.map((each) => turns.getJob(turnId(project, each))));
  const ranges = jobs.map((job) => job?.data.range);
  return new Set(ranges.flatMap((range) => (range === undefined ? [] : [nameOf(range)])));
};

/** What is left of a run. */
const restOf = (run: Run, isFirstTurn: boolean): readonly number[] => {
  const open = openRanges(run);
  // All are scored, and the worker that should have ended the run did not: the next one that begins with the project does.
  return open.length === 0 && isFirstTurn ? [0] : open;
};

const findFreeRanges = async ({ scorer, turns }: TurnParts, job: TurnJob): Promise<readonly RunRange[]> => {
  // Deleted: the removal of its graph removes what is left.
  if ((await scorer.projects.project(job.project)) === undefined) return [];
  const [runs, taken] = await Promise.all([scorer.records.open(job.project), takenRanges(turns, job)]);
  const isFirstTurn = job.place === 0 && job.range === undefined;
  return runs
    .filter(({ ready }) => ready)
    .toSorted((a, b) => (a.runId < b.runId ? -1 : 1))
    .flatMap((run) =>
      restOf(run, isFirstTurn).map((range) => ({ profile: run.profileId, run: run.runId, range })),
    )
    .filter((range) => !taken.has(nameOf(range)));
};

/** The ranges of a project that no other place has, sorted by run; waits for an unavailable database. */
const freeRanges = (parts: TurnParts, job: TurnJob): Promise<readonly RunRange[]> => {
  const { project, place } = job;
  return withRetry(retryPolicyOf(parts.scorer, { project, place }, parts.signal), () =>
    findFreeRanges(parts, job),
  );
};

/** Works on a range until it is scored, or its turn is over. @returns how long the project rests then, in milliseconds */
const workForATurn = async (
  { scorer, tracing, turns, turnMs, onError, signal }: TurnParts,
  range: RunRange,
  traceparent: string | undefined,
): Promise<number> => {
  const turn = openQueueTurn(turns, turnMs, onError);
  try {
    await tracing.job("trust range", traceparent, () => workRange(scorer, range, signal, turn.isOver));
    return 0;
  } catch (error) {
    if (error instanceof TurnOver) return unavailableMs;
    // The log has the reason; other runs of the project go on.
    if (error instanceof GivenUp) return 0;
    throw error;
  } finally {
    turn.end();
  }
};

/**
 * One turn of a project, or of a place beside it, which ends when nothing is left to do.
 *
 * @throws what stopped it; it is tried again.
 */
export const takeTurn = async (
  parts: TurnParts,
  job: Job<TurnJob>,
  token: string | undefined,
): Promise<void> => {
  const { range: last, ...rest } = job.data;
  const { project, place, traceparent } = rest;
  const free = await freeRanges(parts, job.data);
  const range = chooseRange(free, last, place);
  if (range === undefined) return;
  await job.updateData({ ...rest, range });
  if (place === 0 && free.length > 1) await addTurns(parts.turns, project, free.length, traceparent);
  const restMs = await workForATurn(parts, range, traceparent).finally(async () => {
    // While other projects take turns this place may wait for long: the turn of the project takes the range.
    if (place > 0) await job.updateData(rest);
  });
  await requeue(job, token, restMs);
};

/** Enqueues a project once more: a run that began between the last look of a turn and the end of its job found the job. */
export const enqueueRest = async (parts: TurnParts, job: TurnJob): Promise<void> => {
  if (parts.signal.aborted) return;
  const free = await freeRanges(parts, job);
  if (free.length > 0) await enqueueProject(parts, job.project);
};

/** Enqueues a project with open runs, unless the queue has it already. */
export const enqueueProject = ({ turns, tracing }: TurnParts, project: Gid): Promise<void> =>
  addTurns(turns, project, 1, tracing.traceparent());
