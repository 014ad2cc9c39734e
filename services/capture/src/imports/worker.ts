import { setTimeout as wait } from "node:timers/promises";
import { DelayedError, type Job, Queue, Worker } from "bullmq";
import { type Gid, Problem } from "@ikg/contracts";
import { StatementTimeout } from "@ikg/graph";
import { openQueueTurn, queueConnection, type Service, watchQueues } from "@ikg/service";
import { carryOut } from "./carry-out.ts";
import { reconcile } from "./reconciler.ts";
import type { ImportParts } from "./imports.ts";
import { Interrupted } from "./write-import.ts";

/**
 * What a job says: a project has imports to be written. Each project has one job, and every turn of it goes to the end of
 * the queue, so that projects take turns however much each of them imports. What there is to do stands in the database.
 */
interface TurnJob {
  readonly project: Gid;
  /** The trace in which it was ordered. */
  readonly traceparent?: string;
  /** The import that stopped last, and how often. */
  readonly stopped?: { readonly id: Gid; readonly times: number };
}

/** An import stopped for the reason in `cause`. */
class ImportStopped extends Error {
  override readonly name = "ImportStopped";
  readonly id: Gid;

  constructor(id: Gid, cause: unknown) {
    super("an import stopped", { cause });
    this.id = id;
  }
}

export interface WorkerSettings {
  readonly redisUrl: string;
  /** Projects whose imports are written at once; 0: this process takes lines and leaves the writing to others. */
  readonly concurrency: number;
  /** How long a worker may be silent before another one goes on. */
  readonly takeoverMs: number;
  /** Milliseconds between two looks for what nobody is at. */
  readonly houseMs?: number;
  /** Length of the turn of a project while others wait. */
  readonly turnMs?: number;
  /** Name of the queue in Redis. */
  readonly queue?: string;
}

/** The workers of this process. */
export interface ImportWorkers {
  /** Hands the imports of a project to whichever worker is free. Never fails: those without a job are found again. */
  enqueue(project: Gid): void;
  /** Stops after the chunks under way, however long they take; another process goes on. */
  close(): Promise<void>;
}

const prefix = "ikg";
const longestPauseMs = 30_000;
/** A queue that is away is tried again every second, and said to be away this often. */
const complaintMs = 30_000;
/** How long the queue is given to hear that this process leaves. */
const closeTimeoutMs = 3_000;
/** Tries of an import that fails for another reason than a store that is away. */
const tries = 3;

/** Ids of jobs hold no colon. */
const jobIdOf = (id: Gid): string => id.slice("gid:".length);

/** True for what passes by itself: a store that is away, a statement that took too long. */
const passes = (error: unknown): boolean =>
  error instanceof StatementTimeout ||
  (error instanceof Problem && ["unavailable", "commit_unknown"].includes(error.code));

/** Starts the workers of a process, and looks from time to time for imports that nobody is at. */
export const startImportWorkers = (
  parts: ImportParts,
  {
    redisUrl,
    concurrency,
    takeoverMs,
    houseMs = 30_000,
    turnMs = 2_000,
    queue: name = "import-turns",
  }: WorkerSettings,
  { log, metrics, tracing }: Pick<Service, "log" | "metrics" | "tracing">,
): ImportWorkers => {
  const repeats = metrics.counter(
    "ikg_import_repeated_transactions_total",
    "Transactions of imports that had to be repeated: other writers were at the same nodes.",
  );
  const ending = new AbortController();
  const connection = queueConnection(redisUrl);
  let complainedAt = -Infinity;
  const complain = (error: Error): void => {
    if (ending.signal.aborted || performance.now() - complainedAt < complaintMs) return;
    complainedAt = performance.now();
    log.warn("the queue of imports cannot be reached", { error });
  };
  const queue = new Queue<TurnJob>(name, { connection, prefix }).on("error", complain);

  const numbers = watchQueues(metrics, { imports: queue });

  const running = new Set<Promise<unknown>>();
  const underway = async <T>(work: Promise<T>): Promise<T> => {
    running.add(work);
    try {
      return await work;
    } finally {
      running.delete(work);
    }
  };

  /** One turn of a project: its oldest import, or a part of it. @returns whether there may be more to do. */
  const takeTurn = async ({ project, traceparent }: TurnJob): Promise<boolean> => {
    const record = await parts.records.next(project);
    if (record === undefined) return false;
    const turn = openQueueTurn(queue, turnMs, complain);
    const write = () =>
      carryOut(
        { ...parts, onRepeat: () => repeats.inc(), isTurnOver: turn.isOver },
        record.id,
        ending.signal,
      ).catch((error: unknown) => {
        throw error instanceof Interrupted ? error : new ImportStopped(record.id, error);
      });
    try {
      return (await underway(tracing.job("import", traceparent, write))) !== "left";
    } finally {
      turn.end();
    }
  };

  /** Notes that an import stopped, and ends one that stopped too often for a reason that does not pass. */
  const stopped = async (job: Job<TurnJob>, { id, cause }: ImportStopped): Promise<boolean> => {
    log.warn("an import stopped; it is tried again", { import: id, error: cause });
    const times = (job.data.stopped?.id === id ? job.data.stopped.times : 0) + 1;
    await job.updateData({ ...job.data, stopped: { id, times } });
    if (passes(cause) || times < tries) return false;
    const reason = "the database refuses its rows";
    await parts.records.end(id, { status: "failed", reason, now: parts.now().toISOString() });
    return true;
  };

  const worker = new Worker<TurnJob>(
    name,
    async (job, token) => {
      const toTheEnd = async (): Promise<never> => {
        await job.moveToDelayed(Date.now(), token);
        throw new DelayedError();
      };
      let isMore: boolean;
      try {
        isMore = await takeTurn(job.data);
      } catch (error) {
        if (error instanceof Interrupted) return toTheEnd();
        if (!(error instanceof ImportStopped)) throw error;
        if (!(await stopped(job, error))) throw error.cause;
        isMore = true;
      }
      return isMore ? toTheEnd() : undefined;
    },
    {
      connection,
      prefix,
      concurrency: Math.max(1, concurrency),
      autorun: false,
      lockDuration: takeoverMs,
      stalledInterval: Math.ceil(takeoverMs / 3),
      // A worker that is killed is no fault of the import.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      settings: {
        backoffStrategy: (_made, _type, _error, job) =>
          Math.min(longestPauseMs, 500 * 2 ** Math.min((job as Job<TurnJob>).data.stopped?.times ?? 0, 10)),
      },
    },
  ).on("error", complain);
  if (concurrency > 0) worker.run().catch(complain);

  const enqueue = (project: Gid): void => {
    const traceparent = tracing.traceparent();
    queue
      .add(
        "turn",
        { project, ...(traceparent === undefined ? {} : { traceparent }) },
        {
          jobId: jobIdOf(project),
          attempts: Number.MAX_SAFE_INTEGER,
          backoff: { type: "custom" },
          removeOnComplete: true,
          removeOnFail: true,
        },
      )
      .catch(complain);
  };
  // An import that was accepted between the last look of a turn and the end of its job found the job still there.
  worker.on("completed", ({ data: { project } }) => {
    parts.records.next(project).then((record) => {
      if (record !== undefined && !ending.signal.aborted) enqueue(project);
    }, complain);
  });

  const house = (async () => {
    while (!ending.signal.aborted) {
      await reconcile({ ...parts, enqueue, log }).catch((error: unknown) => {
        log.warn("imports cannot be looked after now", { error });
      });
      await wait(houseMs, undefined, { signal: ending.signal, ref: false }).catch(() => undefined);
    }
  })();

  return {
    enqueue,
    close: async () => {
      ending.abort();
      const closed = (async () => {
        await Promise.all([house, numbers.close()]);
        await worker.close();
        await queue.close();
      })();
      // A chunk that is not written when the process ends is rolled back, stays staged, and is taken by another one.
      await Promise.allSettled(running);
      // A Redis that is away must not keep the process: another one takes over what is not said to be over.
      await Promise.race([closed, wait(closeTimeoutMs, undefined, { ref: false })]);
    },
  };
};
