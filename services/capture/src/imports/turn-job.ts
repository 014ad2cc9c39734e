import type { Queue } from "bullmq";
import type { Gid } from "@ikg/contracts";
import { jobIdOf, type OrganizationTurns, turnOptions, type TurnOwner } from "@ikg/queues";

/**
 * A project has imports to be written. Each project has one job, which waits anew after every turn, so that
 * organizations take turns, and the projects of each, however much they import. The imports themselves are
 * records in the database.
 */
export interface TurnJob extends TurnOwner {
  readonly project: Gid;
  /** The trace in which it was enqueued. */
  readonly traceparent?: string;
  /** The import that stopped last, and how often. */
  readonly stopped?: { readonly id: Gid; readonly times: number };
}

/** Adds the job of a project, unless the queue has it already. */
export const addTurn = async (
  queue: Queue<TurnJob>,
  organizations: Pick<OrganizationTurns, "priorityOf">,
  owner: Pick<TurnJob, "project" | "organization">,
  traceparent: string | undefined,
): Promise<void> => {
  const jobId = jobIdOf(owner.project);
  if ((await queue.getJob(jobId)) !== undefined) return;
  const priority = await organizations.priorityOf(owner);
  await queue.add(
    "turn",
    { ...owner, ...(traceparent === undefined ? {} : { traceparent }) },
    { jobId, ...turnOptions, priority },
  );
};
