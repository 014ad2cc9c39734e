import { DelayedError, type Job, Queue, UnrecoverableError, Worker } from "bullmq";
import type { Gid } from "@ikg/contracts";
import { openQueueTurn, queueConnection, type Service } from "@ikg/service";
import { beginRun, openRanges } from "./runs/begin-run.ts";
import { GivenUp, Interrupted } from "./runs/retry.ts";
import type { Run } from "./runs/run-record.ts";
import { firstOpenRanges, laneOf } from "./runs/lanes.ts";
import { type RangeJob, type RangeOutcome, workRange } from "./runs/work-range.ts";
import { schedulerId } from "./schedules/interval.ts";
import type { Scorer } from "./scorer.ts";

/** A slot of a schedule, as a job names it. */
export interface SlotJob {
  readonly profile: Gid;
}

export interface WorkSettings {
  readonly redisUrl: string;
  readonly concurrency: number;
  /** How long a worker may be silent before another one goes on. */
  readonly takeoverMs: number;
  /** Length of the turn of a range while others wait. */
  readonly turnMs?: number | undefined;
  /** What the queues in Redis begin with. */
  readonly queue?: string | undefined;
}

/** The queues of a process and its workers. */
export interface Work {
  readonly slots: Queue<SlotJob>;
  readonly ranges: Queue<RangeJob>;
  /** Sees to it that somebody works on a run. Nothing happens to what somebody is at. */
  enqueue(run: Run): Promise<void>;
  /** What is under way stops after its page; another process goes on. */
  close(): Promise<void>;
}

const prefix = "ikg";
const longestPauseMs = 30_000;
/** A queue that is away is tried again every second, and said to be away this often. */
const complaintMs = 30_000;
/** Slots that are taken at once for each range that is: a slot of a large type is one statement of many seconds. */
const slotsForEach = 4;
/** Jobs that failed are kept, with their reason. */
const keptFailures = { count: 1_000, age: 7 * 24 * 3_600 };

/** Opens the queues; with a concurrency above 0 this process also works. */
export const openWork = (
  scorer: Scorer,
  { redisUrl, concurrency, takeoverMs, turnMs = 2_000, queue: name = "trust" }: WorkSettings,
  { log, tracing }: Pick<Service, "log" | "tracing">,
): Work => {
  const ending = new AbortController();
  const connection = queueConnection(redisUrl);
  let complainedAt = -Infinity;
  const complain = (error: Error): void => {
    if (ending.signal.aborted || performance.now() - complainedAt < complaintMs) return;
    complainedAt = performance.now();
    log.warn("the queue of trust scores cannot be reached", { error });
  };
  const open = <T>(kind: string) =>
    new Queue<T>(`${name}-${kind}`, { connection, prefix }).on("error", complain);
  const slots = open<SlotJob>("slots");
  const ranges = open<RangeJob>("ranges");
  const enqueue = async (run: Run): Promise<void> => {
    const { profileId: profile, runId } = run;
    const traceparent = tracing.traceparent();
    const jobs = openRanges(run).map((range) => ({
      name: "range",
      data: { profile, run: runId, range, ...(traceparent === undefined ? {} : { traceparent }) },
      opts: {
        jobId: `${runId}-${laneOf(range)}`,
        attempts: Number.MAX_SAFE_INTEGER,
        backoff: { type: "custom" },
        removeOnComplete: true,
        removeOnFail: keptFailures,
      },
    }));
    await ranges.addBulk(jobs);
  };

  /** The next range of the lane of a job; undefined when there is none. */
  const nextOf = async ({ profile, run, range }: RangeJob): Promise<number | undefined> => {
    const open = (await scorer.records.find(profile))?.run;
    if (open?.runId !== run) return undefined;
    return firstOpenRanges(open).find((each) => laneOf(each) === laneOf(range));
  };

  /** Works on a range for one turn; what is left, or the next range of its lane, goes to the end of the queue. */
  const takeRange = async (job: Job<RangeJob>, token: string | undefined): Promise<void> => {
    const turn = openQueueTurn(ranges, turnMs, complain);
    let outcome: RangeOutcome;
    try {
      outcome = await tracing.job("trust range", job.data.traceparent, () =>
        workRange(scorer, job.data, ending.signal, turn.isOver),
      );
    } finally {
      turn.end();
    }
    if (outcome === "over") {
      const range = await nextOf(job.data);
      if (range === undefined || range === job.data.range) return;
      await job.updateData({ ...job.data, range });
    }
    await job.moveToDelayed(Date.now(), token);
    throw new DelayedError();
  };

  /** Projects of which this process looks at a whole type; one at a time of each. */
  const surveyed = new Set<Gid>();
  const takeSlot = async (job: Job<SlotJob>, token: string | undefined): Promise<void> => {
    const project = (await scorer.profiles.find(job.data.profile))?.projectId;
    if (project === undefined) return beginSlot(job);
    if (surveyed.has(project)) {
      await job.moveToDelayed(Date.now() + 1_000, token);
      throw new DelayedError();
    }
    surveyed.add(project);
    try {
      await beginSlot(job);
    } finally {
      surveyed.delete(project);
    }
  };
  const beginSlot = async (job: Job<SlotJob>): Promise<void> => {
    const due = new Date(job.timestamp + (job.opts.delay ?? 0)).toISOString();
    const slot = await beginRun(scorer, job.data.profile, due, ending.signal);
    if (slot.kind === "no profile") await slots.removeJobScheduler(schedulerId(job.data.profile));
    if (slot.kind === "begun" || slot.kind === "goes on") await enqueue(slot.run);
  };
  const work = <T>(
    kind: string,
    atOnce: number,
    carryOut: (job: Job<T>, token: string | undefined) => Promise<void>,
  ): Worker<T> =>
    new Worker<T>(
      `${name}-${kind}`,
      async (job, token) => {
        try {
          await carryOut(job, token);
        } catch (error) {
          if (error instanceof DelayedError) throw error;
          if (error instanceof Interrupted || ending.signal.aborted) {
            await job.moveToDelayed(Date.now(), token);
            throw new DelayedError();
          }
          if (error instanceof GivenUp) throw new UnrecoverableError(error.message);
          log.warn("a job of trust scores failed; it is tried again", { ...job.data, error });
          throw error;
        }
      },
      {
        connection,
        prefix,
        concurrency: atOnce,
        autorun: false,
        lockDuration: takeoverMs,
        stalledInterval: Math.ceil(takeoverMs / 3),
        // A worker that is killed is no fault of the run.
        maxStalledCount: Number.MAX_SAFE_INTEGER,
        settings: { backoffStrategy: (made) => Math.min(longestPauseMs, 500 * 2 ** Math.min(made, 10)) },
      },
    ).on("error", complain);
  const workers =
    concurrency === 0
      ? []
      : [
          work<SlotJob>("slots", concurrency * slotsForEach, (job, token) =>
            tracing.job("trust slot", undefined, () => takeSlot(job, token)),
          ),
          work<RangeJob>("ranges", concurrency, takeRange),
        ];
  for (const worker of workers) worker.run().catch(complain);

  return {
    slots,
    ranges,
    enqueue,
    close: async () => {
      ending.abort();
      await Promise.all(workers.map((worker) => worker.close()));
      await Promise.all([slots.close(), ranges.close()]);
    },
  };
};
