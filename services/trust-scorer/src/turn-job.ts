import type { Queue } from "bullmq";
import type { Gid } from "@ikg/contracts";
import { jobIdOf, type OrganizationTurns, turnOptions, type TurnOwner, turnPriority } from "@ikg/queues";
import type { RunRange } from "./runs/work-range.ts";

/**
 * A project has ranges to be scored. The job of its place 0 takes the turns of the project: after every turn it
 * waits anew, so that organizations take turns, and the projects of each, however many profiles, runs and ranges
 * they have. The runs themselves are records in the database.
 *
 * Jobs of further places have a lower priority: a worker that looks for a job begins with one only where no project waits. One that
 * is under way ends its turn as any other does. After the death of its worker, BullMQ begins with such a job once as with place 0.
 */
export interface TurnJob extends TurnOwner {
  readonly project: Gid;
  /** 0 for the turn of the project; 1 and more for work beside it. */
  readonly place: number;
  /**
   * The range that this place works on, which others do not choose; place 0 keeps it between its turns. Two places may choose one at
   * the same moment: its fence lets one of them write.
   */
  readonly range?: RunRange;
  /** Turns in a row in which the database could not be used. */
  readonly outages?: number;
  /** Turns in a row that failed for another reason. */
  readonly failures?: number;
  /** The trace of the slot in which it was enqueued. */
  readonly traceparent?: string;
}

/**
 * The data of a job after a turn. Where other projects take turns, a further place may wait for long: the turn of the project takes
 * its range.
 */
export const afterTurn = (
  { project, organization, place, range, traceparent }: TurnJob,
  { outages = 0, failures = 0 }: Pick<TurnJob, "outages" | "failures">,
): TurnJob => ({
  project,
  ...(organization === undefined ? {} : { organization }),
  place,
  ...(place > 0 || range === undefined ? {} : { range }),
  ...(outages === 0 ? {} : { outages }),
  ...(failures === 0 ? {} : { failures }),
  ...(traceparent === undefined ? {} : { traceparent }),
});

/** Jobs of a project at most, and so its ranges that are worked on at once, in all processes. */
export const places = 4;

export const turnId = (project: Gid, place: number): string => `${jobIdOf(project)}-${place}`;

/** Where turns wait. */
export interface TurnQueues {
  readonly turns: Queue<TurnJob>;
  readonly organizations: OrganizationTurns;
}

/** Adds the jobs of the first `count` places of a project, of all at most; those that the queue has already stay as they are. */
export const addTurns = async (
  { turns, organizations }: TurnQueues,
  { project, organization }: Pick<TurnJob, "project" | "organization">,
  count: number,
  traceparent: string | undefined,
): Promise<void> => {
  const owner = { project, ...(organization === undefined ? {} : { organization }) };
  const priority = await organizations.priorityOf(owner);
  const jobs = Array.from({ length: Math.min(count, places) }, (_, place) => ({
    name: "turn",
    data: { ...owner, place, ...(traceparent === undefined ? {} : { traceparent }) },
    opts: {
      ...turnOptions,
      jobId: turnId(project, place),
      priority: place === 0 ? priority : turnPriority.spare,
    },
  }));
  await turns.addBulk(jobs);
};
