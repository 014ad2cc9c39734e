import type { Queue } from "bullmq";
import type { Gid } from "@ikg/contracts";
import { jobIdOf, turnOptions } from "@ikg/queues";

/**
 * A project has imports to be written. Each project has one job, and every turn of it goes to the end of the queue, so that
 * projects take turns however much each of them imports. The imports themselves are records in the database.
 */
export interface TurnJob {
  readonly project: Gid;
  /** The trace in which it was enqueued. */
  readonly traceparent?: string;
  /** The import that stopped last, and how often. */
  readonly stopped?: { readonly id: Gid; readonly times: number };
}

/** Adds the job of a project, unless the queue has it already. */
export const addTurn = async (
  queue: Queue<TurnJob>,
  project: Gid,
  traceparent: string | undefined,
): Promise<void> => {
  await queue.add(
    "turn",
    { project, ...(traceparent === undefined ? {} : { traceparent }) },
    { jobId: jobIdOf(project), ...turnOptions },
  );
};
