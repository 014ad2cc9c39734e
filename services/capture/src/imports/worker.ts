import { setTimeout as wait } from "node:timers/promises";
import { DelayedError, Queue, Worker } from "bullmq";
import { type Gid, Problem } from "@ikg/contracts";
import { StatementTimeout } from "@ikg/graph";
import { queueConnection, type Service, watchQueues } from "@ikg/service";
import { carryOut } from "./carry-out.ts";
import { keepHouse } from "./housekeeping.ts";
import type { ImportParts } from "./imports.ts";
import type { ImportRecord } from "./records.ts";
import { Interrupted } from "./write-import.ts";

/** What a job says. */
interface ImportJob {
  readonly id: Gid;
  /** The trace in which it was ordered. */
  readonly traceparent?: string;
}

export interface WorkerSettings {
  readonly redisUrl: string;
  /** Imports at once; 0: this process takes lines and leaves the writing to others. */
  readonly concurrency: number;
  /** How long a worker may be silent before another one goes on. */
  readonly takeoverMs: number;
  /** Milliseconds between two looks for what nobody is at. */
  readonly houseMs?: number;
  /** Name of the queue in Redis. */
  readonly queue?: string;
}

/** The workers of this process. */
export interface ImportWorkers {
  /** Hands an import to whichever worker is free. Never fails: one without a job is found again. */
  enqueue(record: ImportRecord): void;
  /** Stops after the chunks under way; another process goes on. */
  close(): Promise<void>;
}

const prefix = "ikg";
const longestPauseMs = 30_000;
/** A queue that is away is tried again every second, and said to be away this often. */
const complaintMs = 30_000;
/** Longer than a chunk under way may take to be written or given up. */
const closeMs = 65_000;
/** How long the queue is given to hear that this process leaves. */
const farewellMs = 3_000;
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
  { redisUrl, concurrency, takeoverMs, houseMs = 30_000, queue: name = "imports" }: WorkerSettings,
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
  const queue = new Queue<ImportJob>(name, { connection, prefix }).on("error", complain);

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
  const worker = new Worker<ImportJob>(
    name,
    async (job, token) => {
      const { id, traceparent } = job.data;
      const write = () => carryOut({ ...parts, onRepeat: () => repeats.inc() }, id, ending.signal);
      try {
        await underway(tracing.job("import", traceparent, write));
      } catch (error) {
        if (error instanceof Interrupted) {
          await job.moveToDelayed(Date.now(), token);
          throw new DelayedError();
        }
        log.warn("an import stopped; it is tried again", { import: id, error });
        if (passes(error) || job.attemptsMade + 1 < tries) throw error;
        const reason = "the database refuses its rows";
        await parts.records.end(id, { status: "failed", reason, now: parts.now().toISOString() });
      }
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
      settings: { backoffStrategy: (made) => Math.min(longestPauseMs, 500 * 2 ** Math.min(made, 10)) },
    },
  ).on("error", complain);
  if (concurrency > 0) worker.run().catch(complain);

  // While Redis is away what is to be added waits: once for each import.
  const adding = new Set<Gid>();
  const enqueue = ({ id }: ImportRecord): void => {
    if (adding.has(id)) return;
    adding.add(id);
    const traceparent = tracing.traceparent();
    queue
      .add(
        "import",
        { id, ...(traceparent === undefined ? {} : { traceparent }) },
        {
          jobId: jobIdOf(id),
          attempts: Number.MAX_SAFE_INTEGER,
          backoff: { type: "custom" },
          removeOnComplete: true,
          removeOnFail: true,
        },
      )
      .catch(complain)
      .finally(() => adding.delete(id));
  };

  const house = (async () => {
    while (!ending.signal.aborted) {
      await keepHouse({ ...parts, enqueue, log }).catch((error: unknown) => {
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
      await Promise.race([Promise.allSettled(running), wait(closeMs, undefined, { ref: false })]);
      // A Redis that is away must not keep the process: another one takes over what is not said to be over.
      await Promise.race([closed, wait(farewellMs, undefined, { ref: false })]);
    },
  };
};
