import type { Queue } from "bullmq";
import type { Gid } from "@ikg/contracts";
import { jobIdOf, type OrganizationTurns, turnOptions, type TurnOwner, turnOwnerOf } from "@ikg/queues";
import type { Projects } from "../projects/projects.ts";

/** An import whose attempts failed. */
export interface StoppedImport {
  readonly id: Gid;
  /** Failed attempts. */
  readonly times: number;
  /** Those of them that failed for another reason than a temporary one; absent in jobs of earlier builds. */
  readonly permanent?: number;
}

/**
 * A project has imports to be written. Each project has one job, which waits again after every turn, so that
 * organizations take turns, and the projects of each, however much they import. The imports themselves are
 * records in the database.
 */
export interface TurnJob extends TurnOwner {
  readonly project: Gid;
  /** The trace in which it was enqueued. */
  readonly traceparent?: string;
  /** The import that stopped last. */
  readonly stopped?: StoppedImport;
}

/** What the jobs of projects are added with. */
export interface AddTurnParts {
  readonly queue: Queue<TurnJob>;
  readonly organizations: Pick<OrganizationTurns, "priorityOf">;
  readonly projects: Projects;
}

/** Adds the job of a project, unless the queue has it already: its owner is looked up only for a job that is added. */
export const addTurn = async (
  { queue, organizations, projects }: AddTurnParts,
  project: Gid,
  traceparent: string | undefined,
): Promise<void> => {
  const jobId = jobIdOf(project);
  if ((await queue.getJob(jobId)) !== undefined) return;
  const owner = await turnOwnerOf(projects, project);
  const priority = await organizations.priorityOf(owner);
  await queue.add(
    "turn",
    { ...owner, ...(traceparent === undefined ? {} : { traceparent }) },
    { jobId, ...turnOptions, priority },
  );
};
