import type { Job } from "bullmq";
import type { Gid } from "@ikg/contracts";
import { addOrganization, openQueueTurn, requeue, turnOwnerOf } from "@ikg/queues";
import type { Service } from "@ikg/service";
import { freeRanges, isClaimed } from "./free-ranges.ts";
import { chooseRange } from "./runs/choose-range.ts";
import {
  PermanentFailureError,
  Interrupted,
  isSchemaRefusal,
  type RetryPolicy,
  retryPolicyOf,
  DatabaseUnusableError,
} from "./runs/retry.ts";
import { type RunRange, workRange } from "./runs/work-range.ts";
import type { Scorer } from "./scorer.ts";
import {
  addSpares,
  addTurn,
  afterTurn,
  maxPlaces,
  takesTurns,
  turnId,
  type TurnJob,
  type TurnQueues,
} from "./turn-job.ts";

/** What turns work with. */
export interface TurnParts extends TurnQueues {
  readonly scorer: Scorer;
  readonly tracing: Service["tracing"];
  /** Milliseconds that a turn lasts while other projects wait. */
  readonly turnMs: number;
  readonly onError: (error: Error) => void;
  /** Aborted when the process ends. */
  readonly signal: AbortSignal;
}

/** How long a place pauses after a turn in which its database could not be used, in milliseconds; twice as long after each. */
const firstPauseMs = 5_000;
const longestPauseMs = 60_000;

const pauseMs = (outages: number): number =>
  outages === 0 ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** (outages - 1));

/** True when the project is deleted; an unavailable database does not say so. */
const isDeleted = async ({ scorer }: TurnParts, project: Gid): Promise<boolean> => {
  try {
    return (await scorer.projects.project(project)) === undefined;
  } catch {
    return false;
  }
};

/**
 * How a turn treats an unavailable database. Place 0 waits for it while no job needs the worker, and logs the outage; the other
 * places do neither. A schema version that is refused is not waited for: it lasts until an operator acts.
 */
const turnPolicy = (
  parts: TurnParts,
  { project, place, outages = 0 }: TurnJob,
  range: RunRange,
  hasWaiters: () => boolean,
): RetryPolicy => {
  const policy = retryPolicyOf(parts.scorer, { project, place, ...range }, parts.signal, outages > 0);
  if (place > 0)
    return {
      ...policy,
      onUnavailable: () => undefined,
      onAvailable: () => undefined,
      isTurnOver: async () => true,
    };
  return {
    ...policy,
    isTurnOver: async (error) => hasWaiters() || isSchemaRefusal(error) || (await isDeleted(parts, project)),
  };
};

/** Works on a range until it is scored, or its turn is over. @returns false when its database could not be used */
const workForATurn = async (parts: TurnParts, job: TurnJob, range: RunRange): Promise<boolean> => {
  const { scorer, tracing, turns, turnMs, onError } = parts;
  const turn = openQueueTurn(turns, turnMs, onError);
  const policy = turnPolicy(parts, job, range, turn.hasWaiters);
  try {
    await tracing.job("trust range", job.traceparent, () => workRange(scorer, range, policy, turn.isOver));
    return true;
  } catch (error) {
    if (error instanceof DatabaseUnusableError) return false;
    // The reason is logged; other runs of the project continue.
    if (error instanceof PermanentFailureError) return true;
    throw error;
  } finally {
    turn.end();
  }
};

/** Ends a turn. A further place may wait for long, and its project has another turn then: place 0 is in the queue. */
const endTurn = async (
  parts: TurnParts,
  job: Job<TurnJob>,
  counts: Pick<TurnJob, "outages" | "failures">,
  isDelayed: boolean,
): Promise<void> => {
  await job.updateData(afterTurn(job.data, counts));
  if (!takesTurns(job.data)) await addTurn(parts, job.data);
  await parts.organizations.endTurn(job, isDelayed);
};

/**
 * Works on a free range.
 *
 * @returns in how many turns in a row, with this one, the database could not be used; undefined when the job has
 * nothing left to do.
 */
const useTurn = async (parts: TurnParts, job: Job<TurnJob>): Promise<number | undefined> => {
  const { range: last, ...idle } = job.data;
  const { place, outages = 0 } = idle;
  const free = await freeRanges(parts, job.data);
  const range = chooseRange(free, last, place);
  if (range === undefined) return undefined;
  await job.updateData({ ...idle, range });
  if (place > 0 && (await isClaimed(parts, job.data, range))) {
    await job.updateData(idle);
    return undefined;
  }
  if (takesTurns(idle) && free.length > 1) await addSpares(parts, idle, free.length);
  const isAvailable = await workForATurn(parts, job.data, range);
  return isAvailable ? 0 : outages + 1;
};

/**
 * One turn of a place of a project, after which its job waits for the next one. The job ends when no range of the
 * project is free, or the project is deleted.
 *
 * @throws what stopped it; it is tried again.
 */
export const takeTurn = async (
  parts: TurnParts,
  job: Job<TurnJob>,
  token: string | undefined,
): Promise<void> => {
  const { organizations, scorer, signal } = parts;
  await addOrganization(scorer.projects, job);
  await organizations.beginTurn(job);
  let count: number | undefined;
  try {
    count = await useTurn(parts, job);
  } catch (error) {
    const { outages = 0, failures = 0 } = job.data;
    const isFailure = !(error instanceof Interrupted || signal.aborted);
    try {
      await endTurn(parts, job, { outages, failures: isFailure ? failures + 1 : failures }, isFailure);
    } catch (endError) {
      // The error that stopped the turn is the one to throw.
      scorer.log.warn("the end of a turn could not be noted in its job", { ...job.data, error: endError });
    }
    throw error;
  }
  if (count === undefined) return organizations.releaseWorker(job);
  await endTurn(parts, job, { outages: count }, count > 0);
  await requeue(job, token, pauseMs(count));
};

/**
 * Enqueues a project once more when a job of it has ended: a run that began between the last check of that job and its end found
 * the job.
 */
export const enqueueAgain = async (parts: TurnParts, job: TurnJob): Promise<void> => {
  if (parts.signal.aborted) return;
  const free = await freeRanges(parts, job);
  if (free.length > 0) await enqueueProject(parts, job.project);
};

/**
 * Enqueues all places of a project with open runs, but for those that the queue has already: workers that no project waits for begin
 * with a new run at once. Jobs that find no free range end. The catalog is read only where the job of place 0 is missing, or has no
 * organization.
 */
export const enqueueProject = async (parts: TurnParts, project: Gid): Promise<void> => {
  const first = await parts.turns.getJob(turnId(project, 0));
  const organization = first?.data.organization;
  const owner =
    organization === undefined
      ? await turnOwnerOf(parts.scorer.projects, project)
      : { project, organization };
  const traceparent = parts.tracing.traceparent();
  const turn = { ...owner, ...(traceparent === undefined ? {} : { traceparent }) };
  if (first === undefined) await addTurn(parts, turn);
  await addSpares(parts, turn, maxPlaces);
};
