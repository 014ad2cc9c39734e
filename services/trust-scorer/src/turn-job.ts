import type { Queue } from "bullmq";
import type { Gid } from "@ikg/contracts";
import { jobIdOf, type OrganizationTurns, turnOptions, type TurnOwner, turnPriority } from "@ikg/queues";
import type { RunRange } from "./runs/work-range.ts";

/**
 * A project has ranges to be scored, and up to `maxPlaces` jobs, which their places number. The job of place 0 takes the turns of the
 * project: after every turn it waits again, so that organizations take turns, and the projects of each, however many profiles, runs
 * and ranges they have. The runs themselves are records in the database.
 *
 * Jobs of further places have a lower priority: a worker that looks for a job begins with one only where no project waits. One that
 * is active ends its turn as any other does. When its worker was killed, BullMQ moves it to the wait list, as any job: the next turn
 * that begins or ends moves it back, unless a worker has taken it by then.
 */
export interface TurnJob extends TurnOwner {
  readonly project: Gid;
  /** Number of the job among those of its project: 0 for the turn of the project, 1 and more for parallel work. */
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

/** Most jobs of a project, and so most of its ranges that are scored at the same time, in all processes. */
export const maxPlaces = 4;

export const turnId = (project: Gid, place: number): string => `${jobIdOf(project)}-${place}`;

/** True for the job that takes the turns of its project; the others are spare work. */
export const takesTurns = ({ place }: Pick<TurnJob, "place">): boolean => place === 0;

/** Where turns wait. */
export interface TurnQueues {
  readonly turns: Queue<TurnJob>;
  readonly organizations: OrganizationTurns<TurnJob>;
}

/** The project of jobs, and the trace in which they are added. */
type NewTurn = Pick<TurnJob, "project" | "organization" | "traceparent">;

const newJob = ({ project, organization, traceparent }: NewTurn, place: number, priority: number) => ({
  name: "turn",
  data: {
    project,
    ...(organization === undefined ? {} : { organization }),
    place,
    ...(traceparent === undefined ? {} : { traceparent }),
  },
  opts: { ...turnOptions, jobId: turnId(project, place), priority },
});

/** Adds the job of place 0 of a project, unless the queue has it already. */
export const addTurn = async ({ turns, organizations }: TurnQueues, turn: NewTurn): Promise<void> => {
  if ((await turns.getJob(turnId(turn.project, 0))) !== undefined) return;
  const { name, data, opts } = newJob(turn, 0, await organizations.priorityOf(turn));
  await turns.add(name, data, opts);
};

/**
 * Adds the jobs of the places 1 to `count - 1` of a project, of all further places at most; those that the
 * queue has already stay as they are.
 */
export const addSpares = async (
  { turns }: Pick<TurnQueues, "turns">,
  turn: NewTurn,
  count: number,
): Promise<void> => {
  const length = Math.min(count, maxPlaces) - 1;
  await turns.addBulk(Array.from({ length }, (_, at) => newJob(turn, at + 1, turnPriority.spare)));
};
