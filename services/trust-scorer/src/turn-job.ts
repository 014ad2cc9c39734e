import type { Queue } from "bullmq";
import type { Gid } from "@ikg/contracts";
import type { RunRange } from "./runs/work-range.ts";

/**
 * A project has ranges to be scored. Each project has one job in the queue, and every turn of it goes to the end, so that projects
 * take turns however many profiles, runs and ranges each has. The runs themselves are records in the database.
 *
 * Further jobs of a project have a lower priority: workers take them only while no project waits for its turn.
 */
export interface TurnJob {
  readonly project: Gid;
  /** 0 for the turn of the project; 1 and more for work beside it. */
  readonly place: number;
  /** The range that this place works on; no other one takes it. Place 0 keeps it between its turns. */
  readonly range?: RunRange;
  /** The trace of the slot in which it was enqueued. */
  readonly traceparent?: string;
}

/** Ranges of a project that are worked on at once, in all processes. */
export const places = 4;

/** Ids of jobs hold no colon. */
export const turnId = (project: Gid, place: number): string => `${project.slice("gid:".length)}-${place}`;

/** Adds the job of a project, and of those beside it up to a number of places; those that the queue has already stay as they are. */
export const addTurns = async (
  turns: Queue<TurnJob>,
  project: Gid,
  count: number,
  traceparent: string | undefined,
): Promise<void> => {
  const jobs = Array.from({ length: Math.min(count, places) }, (_, place) => ({
    name: "turn",
    data: { project, place, ...(traceparent === undefined ? {} : { traceparent }) },
    opts: {
      jobId: turnId(project, place),
      // Without a priority a job comes before all that have one.
      ...(place === 0 ? {} : { priority: 1 }),
      attempts: Number.MAX_SAFE_INTEGER,
      backoff: { type: "custom" },
      removeOnComplete: true,
      removeOnFail: true,
    },
  }));
  await turns.addBulk(jobs);
};
