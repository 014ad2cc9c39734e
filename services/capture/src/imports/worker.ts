import type { Job } from "bullmq";
import { createPeriodicTask } from "@ikg/concurrency";
import type { Gid } from "@ikg/contracts";
import { closeWithin, openOrganizationTurns, openQueueing, openQueueTurn } from "@ikg/queues";
import { type Service, watchQueues } from "@ikg/service";
import type { ImportParts } from "./imports.ts";
import { reconcile } from "./reconciler.ts";
import { takeTurn, type TurnParts } from "./take-turn.ts";
import { addTurn, type TurnJob } from "./turn-job.ts";
import { countRows, watchStoredBytes } from "./usage-metrics.ts";

export interface WorkerSettings {
  readonly redisUrl: string;
  /** Projects whose imports are written at once; 0: this process only receives lines. */
  readonly concurrency: number;
  /** How long a worker may be silent, in milliseconds, before another one takes over. */
  readonly takeoverMs: number;
  /** Milliseconds between two passes of the reconciler. */
  readonly reconcileMs?: number;
  /** Milliseconds that the turn of a project lasts while others wait. */
  readonly turnMs?: number;
  /** Name of the queue in Redis. */
  readonly queue?: string;
}

/** The workers of this process. */
export interface ImportWorkers {
  /** Enqueues the imports of a project for any free worker. Never fails: the reconciler finds those without a job. */
  enqueue(project: Gid): void;
  /** Stops after the chunks under way, however long they take; another process continues. */
  close(): Promise<void>;
}

/** How long closing may take while Redis is down. */
const closeTimeoutMs = 3_000;

/** Tracks running writes, so that closing can wait for them. */
const trackRunning = () => {
  const running = new Set<Promise<unknown>>();
  return {
    track: async <T>(work: Promise<T>): Promise<T> => {
      running.add(work);
      try {
        return await work;
      } finally {
        running.delete(work);
      }
    },
    settled: () => Promise.allSettled(running),
  };
};

/**
 * Enqueues a project again whose job has ended: an import that was accepted after the last check for one, and before the end
 * of the job, was not enqueued.
 */
const enqueueRest = async (
  { records }: ImportParts,
  project: Gid,
  enqueue: (project: Gid) => void,
  signal: AbortSignal,
): Promise<void> => {
  const record = await records.next(project);
  if (record !== undefined && !signal.aborted) enqueue(project);
};

const countRepeats = (metrics: Service["metrics"]): (() => void) => {
  const repeats = metrics.counter(
    "ikg_import_repeated_transactions_total",
    "Transactions of imports that were repeated because other writers changed the same nodes.",
  );
  return () => repeats.inc();
};

/** Starts the workers of a process, and the reconciler that finds imports without a worker. */
export const startImportWorkers = (
  parts: ImportParts,
  settings: WorkerSettings,
  { log, metrics, tracing }: Pick<Service, "log" | "metrics" | "tracing">,
): ImportWorkers => {
  const { concurrency, reconcileMs = 30_000, turnMs = 2_000, queue: name = "import-turns" } = settings;
  const ending = new AbortController();
  const { signal } = ending;
  const { onError, onOrderError, ...queues } = openQueueing({ ...settings, subject: "imports", signal }, log);
  const queue = queues.queue<TurnJob>(name);
  const organizations = openOrganizationTurns(queue, onOrderError);
  const counts = watchQueues(metrics, { imports: { queue, organizations } });
  const storedBytes = watchStoredBytes(parts.records, metrics);
  const turnQueue = { queue, organizations, projects: parts.projects };
  const enqueue = (project: Gid): void => {
    addTurn(turnQueue, project, tracing.traceparent()).catch(onError);
  };

  const running = trackRunning();
  const turns: TurnParts = {
    ...parts,
    log,
    tracing,
    onRepeat: countRepeats(metrics),
    onRows: countRows(metrics),
    openTurn: () => openQueueTurn(queue, turnMs, onError),
    organizations,
    track: running.track,
    signal,
  };
  const work = (job: Job<TurnJob>, token: string | undefined) => takeTurn(turns, job, token);
  const triesOf = ({ data }: Job<TurnJob>): number => data.stopped?.times ?? 0;
  const worker = concurrency === 0 ? undefined : queues.worker<TurnJob>(name, concurrency, work, triesOf);
  worker?.on("completed", ({ data: { project } }) => {
    enqueueRest(parts, project, enqueue, signal).catch(onError);
  });
  const reconciler = createPeriodicTask({
    run: () => reconcile({ ...parts, enqueue, log }),
    everyMs: reconcileMs,
    onFailure: (error) => log.warn("imports cannot be reconciled now", { error }),
  });
  reconciler.start();

  return {
    enqueue,
    close: async () => {
      ending.abort();
      const closed = (async () => {
        await Promise.all([reconciler.close(), counts.close(), storedBytes.close()]);
        await worker?.close();
        await queue.close();
      })();
      // A chunk that is not written when the process ends is rolled back, stays staged, and is taken by another process.
      await running.settled();
      await closeWithin(closeTimeoutMs, closed);
    },
  };
};
