import type { Job, Queue } from "bullmq";
import type { Gid } from "@ikg/contracts";
import {
  isRequeued,
  openOrganizationTurns,
  openQueueing,
  type OrganizationTurns,
  requeue,
} from "@ikg/queues";
import type { Service } from "@ikg/service";
import { beginRun } from "./runs/begin-run.ts";
import { Interrupted } from "./runs/retry.ts";
import { schedulerId } from "./schedules/interval.ts";
import type { Scorer } from "./scorer.ts";
import { enqueueAgain, enqueueProject, takeTurn, type TurnParts } from "./take-turn.ts";
import { takesTurns, type TurnJob } from "./turn-job.ts";

/** A slot of a schedule, as a job names it. */
export interface SlotJob {
  readonly profile: Gid;
}

export interface WorkSettings {
  readonly redisUrl: string;
  readonly concurrency: number;
  /** How long a worker may be silent, in milliseconds, before another one takes over. */
  readonly takeoverMs: number;
  /** Milliseconds that the turn of a project lasts while others wait. */
  readonly turnMs?: number | undefined;
  /** Prefix of the queues in Redis. */
  readonly queue?: string | undefined;
}

/** The queues of a process and its workers. */
export interface Work {
  readonly slots: Queue<SlotJob>;
  readonly turns: Queue<TurnJob>;
  readonly organizations: OrganizationTurns<TurnJob>;
  /** Enqueues a project with open runs, unless the queue has it already. */
  enqueue(project: Gid): Promise<void>;
  /** Stops after the pages under way; another process continues. */
  close(): Promise<void>;
}

/** Slots that are begun at once for each range that is worked on: a slot of a large type is one statement of many seconds. */
const slotsPerTurn = 4;

type Take<T> = (job: Job<T>, token: string | undefined) => Promise<void>;

/** What the jobs of this process work with. */
interface WorkParts extends TurnParts {
  readonly slots: Queue<SlotJob>;
}

/** Begins the run of a slot, unless its profile is gone or its former run continues. */
const beginSlot = async (parts: WorkParts, job: Job<SlotJob>): Promise<void> => {
  const { scorer, slots, signal } = parts;
  const due = new Date(job.timestamp + (job.opts.delay ?? 0)).toISOString();
  const slot = await beginRun(scorer, job.data.profile, due, signal);
  if (slot.kind === "profile_missing") await slots.removeJobScheduler(schedulerId(job.data.profile));
  if (slot.kind === "begun" || slot.kind === "open") await enqueueProject(parts, slot.run.projectId);
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

/** Requeues a job that the end of the process interrupts. */
const withOutcome =
  <T extends object>(take: Take<T>, log: Service["log"], signal: AbortSignal): Take<T> =>
  async (job, token) => {
    try {
      await take(job, token);
    } catch (error) {
      if (isRequeued(error)) throw error;
      if (error instanceof Interrupted || signal.aborted) return requeue(job, token);
      log.warn("a job of trust scores failed; retrying", { ...job.data, error });
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
  const { queue, worker, onError, onOrderError } = openQueueing(
    { ...settings, subject: "trust scores", signal },
    log,
  );
  const slots = queue<SlotJob>(`${name}-slots`);
  const turns = queue<TurnJob>(`${name}-turns`);
  const organizations = openOrganizationTurns(turns, onOrderError, takesTurns);
  const parts: WorkParts = { scorer, tracing, slots, turns, organizations, turnMs, onError, signal };
  const openWorkers = () => {
    const turnWorker = worker<TurnJob>(
      `${name}-turns`,
      concurrency,
      withOutcome<TurnJob>((job, token) => takeTurn(parts, job, token), log, signal),
      // Attempts count over the life of a job, which is that of all open runs of a project.
      (job) => job.data.failures ?? 0,
    );
    turnWorker.on("completed", ({ data }) => {
      // What is left is found by the reconciler.
      const onFailure = (error: unknown): void =>
        void log.warn("cannot read the open runs of a project", { project: data.project, error });
      enqueueAgain(parts, data).catch(onFailure);
    });
    const takeNext = withOutcome(takeSlot(parts), log, signal);
    return [worker<SlotJob>(`${name}-slots`, concurrency * slotsPerTurn, takeNext), turnWorker];
  };
  const workers = concurrency === 0 ? [] : openWorkers();

  return {
    slots,
    turns,
    organizations,
    enqueue: (project) => enqueueProject(parts, project),
    close: async () => {
      ending.abort();
      await Promise.all(workers.map((each) => each.close()));
      await Promise.all([slots.close(), turns.close()]);
    },
  };
};
