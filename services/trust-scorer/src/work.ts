import { type Job, type Queue, UnrecoverableError } from "bullmq";
import type { Gid } from "@ikg/contracts";
import { isRequeued, openQueueing, requeue } from "@ikg/queues";
import { openQueueTurn, type Service } from "@ikg/service";
import { beginRun, openRanges } from "./runs/begin-run.ts";
import { firstOpenRanges, laneOf } from "./runs/lanes.ts";
import { GivenUp, Interrupted } from "./runs/retry.ts";
import type { Run } from "./runs/run-record.ts";
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
  /** How long a worker may be silent, in milliseconds, before another one takes over. */
  readonly takeoverMs: number;
  /** Milliseconds that the turn of a range lasts while others wait. */
  readonly turnMs?: number | undefined;
  /** Prefix of the queues in Redis. */
  readonly queue?: string | undefined;
}

/** The queues of a process and its workers. */
export interface Work {
  readonly slots: Queue<SlotJob>;
  readonly ranges: Queue<RangeJob>;
  /** Enqueues the open ranges of a run; those that are in the queue already stay as they are. */
  enqueue(run: Run): Promise<void>;
  /** Stops after the pages under way; another process continues. */
  close(): Promise<void>;
}

/** Slots that are taken at once for each range that is: a slot of a large type is one statement of many seconds. */
const slotsPerRange = 4;
/** Jobs that failed are kept, with their reason. */
const keptFailures = { count: 1_000, age: 7 * 24 * 3_600 };

type Take<T> = (job: Job<T>, token: string | undefined) => Promise<void>;

/** What the jobs of this process work with. */
interface WorkParts {
  readonly scorer: Scorer;
  readonly tracing: Service["tracing"];
  readonly slots: Queue<SlotJob>;
  readonly ranges: Queue<RangeJob>;
  /** Aborted when the process ends. */
  readonly signal: AbortSignal;
}

const enqueueRanges = async ({ ranges, tracing }: WorkParts, run: Run): Promise<void> => {
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
const nextRange = async (scorer: Scorer, { profile, run, range }: RangeJob): Promise<number | undefined> => {
  const open = (await scorer.records.find(profile))?.run;
  if (open?.runId !== run) return undefined;
  return firstOpenRanges(open).find((each) => laneOf(each) === laneOf(range));
};

/** Works on a range for one turn; the rest of it, or the next range of its lane, goes to the end of the queue. */
const takeRange =
  (
    { scorer, tracing, ranges, signal }: WorkParts,
    turnMs: number,
    onError: (error: Error) => void,
  ): Take<RangeJob> =>
  async (job, token) => {
    const turn = openQueueTurn(ranges, turnMs, onError);
    let outcome: RangeOutcome;
    try {
      outcome = await tracing.job("trust range", job.data.traceparent, () =>
        workRange(scorer, job.data, signal, turn.isOver),
      );
    } finally {
      turn.end();
    }
    if (outcome === "done") {
      const range = await nextRange(scorer, job.data);
      if (range === undefined || range === job.data.range) return;
      await job.updateData({ ...job.data, range });
    }
    await requeue(job, token);
  };

/** Begins the run of a slot, unless its profile is gone or its former run continues. */
const beginSlot = async (parts: WorkParts, job: Job<SlotJob>): Promise<void> => {
  const { scorer, slots, signal } = parts;
  const due = new Date(job.timestamp + (job.opts.delay ?? 0)).toISOString();
  const slot = await beginRun(scorer, job.data.profile, due, signal);
  if (slot.kind === "no profile") await slots.removeJobScheduler(schedulerId(job.data.profile));
  if (slot.kind === "begun" || slot.kind === "open") await enqueueRanges(parts, slot.run);
};

/** Takes slots; this process looks at one whole type of a project at a time. */
const takeSlot = (parts: WorkParts): Take<SlotJob> => {
  const surveyed = new Set<Gid>();
  const take: Take<SlotJob> = async (job, token) => {
    const project = (await parts.scorer.profiles.find(job.data.profile))?.projectId;
    if (project === undefined) return beginSlot(parts, job);
    if (surveyed.has(project)) return requeue(job, token, 1_000);
    surveyed.add(project);
    try {
      await beginSlot(parts, job);
    } finally {
      surveyed.delete(project);
    }
  };
  return (job, token) => parts.tracing.job("trust slot", undefined, () => take(job, token));
};

/** Requeues a job that the end of the process interrupts, and fails one whose run was given up. */
const withOutcome =
  <T extends object>(take: Take<T>, log: Service["log"], signal: AbortSignal): Take<T> =>
  async (job, token) => {
    try {
      await take(job, token);
    } catch (error) {
      if (isRequeued(error)) throw error;
      if (error instanceof Interrupted || signal.aborted) return requeue(job, token);
      if (error instanceof GivenUp) throw new UnrecoverableError(error.message);
      log.warn("a job of trust scores failed; it is tried again", { ...job.data, error });
      throw error;
    }
  };

/** Opens the queues; with a concurrency above 0 this process also works. */
export const openWork = (
  scorer: Scorer,
  settings: WorkSettings,
  { log, tracing }: Pick<Service, "log" | "tracing">,
): Work => {
  const { concurrency, turnMs = 2_000, queue: name = "trust" } = settings;
  const ending = new AbortController();
  const { signal } = ending;
  const { queue, worker, onError } = openQueueing({ ...settings, subject: "trust scores", signal }, log);
  const slots = queue<SlotJob>(`${name}-slots`);
  const ranges = queue<RangeJob>(`${name}-ranges`);
  const parts = { scorer, tracing, slots, ranges, signal };
  const start = <T extends object>(kind: string, atOnce: number, take: Take<T>) =>
    worker(`${name}-${kind}`, atOnce, withOutcome(take, log, signal));
  const workers =
    concurrency === 0
      ? []
      : [
          start("slots", concurrency * slotsPerRange, takeSlot(parts)),
          start("ranges", concurrency, takeRange(parts, turnMs, onError)),
        ];

  return {
    slots,
    ranges,
    enqueue: (run) => enqueueRanges(parts, run),
    close: async () => {
      ending.abort();
      await Promise.all(workers.map((each) => each.close()));
      await Promise.all([slots.close(), ranges.close()]);
    },
  };
};
