import { type Job, Queue, Worker } from "bullmq";
import { queueConnection, repeatedReport, type Service } from "@ikg/service";

export interface QueueingSettings {
  readonly redisUrl: string;
  /** Milliseconds without a heartbeat after which another worker takes over a job. */
  readonly takeoverMs: number;
  /** The work in the queues; a log message names it when Redis is unreachable. */
  readonly subject: string;
  /** Aborted when the process ends: an unreachable queue is no longer reported. */
  readonly signal: AbortSignal;
}

/** The queues of one kind of work, and their workers in this process. */
export interface Queueing {
  readonly queue: <T>(name: string) => Queue<T>;
  /**
   * Starts a worker.
   *
   * @param failuresOf how often a job has failed, which lengthens the pause before it is tried again; default: its attempts.
   */
  readonly worker: <T>(
    name: string,
    concurrency: number,
    work: (job: Job<T>, token: string | undefined) => Promise<void>,
    failuresOf?: (job: Job<T>, attempts: number) => number,
  ) => Worker<T>;
  /** Reports that Redis is unreachable, at most every 30 s. */
  readonly onError: (error: Error) => void;
  /** Reports that the order of turns could not be corrected, at most every 30 s. */
  readonly onOrderError: (error: Error) => void;
}

const prefix = "ikg";
const maxPauseMs = 30_000;
/** BullMQ reconnects every second, and turns end at any time; a failure that lasts is reported this often. */
const reportMs = 30_000;

const pauseMs = (failures: number): number => Math.min(maxPauseMs, 500 * 2 ** Math.min(failures, 10));

/** Warns of a failure, unless it did so a moment ago or the process ends. */
const openReporter = (
  message: string,
  signal: AbortSignal,
  log: Pick<Service["log"], "warn">,
): ((error: Error) => void) => {
  const report = repeatedReport(() => performance.now(), reportMs);
  return (error) => {
    if (!signal.aborted) report(() => log.warn(message, { error }));
  };
};

export const openQueueing = (
  { redisUrl, takeoverMs, subject, signal }: QueueingSettings,
  log: Pick<Service["log"], "warn">,
): Queueing => {
  const connection = queueConnection(redisUrl);
  const onError = openReporter(`the queue of ${subject} cannot be reached`, signal, log);
  const failure = `the order of turns in the queue of ${subject} could not be corrected; the next turn tries again`;
  return {
    onError,
    onOrderError: openReporter(failure, signal, log),
    queue: <T>(name: string) => new Queue<T>(name, { connection, prefix }).on("error", onError),
    worker: <T>(
      name: string,
      concurrency: number,
      work: (job: Job<T>, token: string | undefined) => Promise<void>,
      failuresOf: (job: Job<T>, attempts: number) => number = (_, attempts) => attempts,
    ) => {
      const worker = new Worker<T>(name, work, {
        connection,
        prefix,
        concurrency,
        autorun: false,
        lockDuration: takeoverMs,
        stalledInterval: Math.ceil(takeoverMs / 3),
        // A job is not at fault when its worker is killed.
        maxStalledCount: Number.MAX_SAFE_INTEGER,
        settings: {
          backoffStrategy: (attempts, _type, _error, job) => pauseMs(failuresOf(job as Job<T>, attempts)), // of this queue
        },
      }).on("error", onError);
      worker.run().catch(onError);
      return worker;
    },
  };
};
