import type { JobOwner, QueueSnapshot } from "./queue-snapshot.ts";
import type { PriorityChanges } from "./turn-order.ts";

/** The snapshot once a job has ended. */
export const withoutJob = ({ active, next, behind }: QueueSnapshot, { id }: JobOwner): QueueSnapshot => {
  const isOther = (job: JobOwner): boolean => job.id !== id;
  return { active: active.filter(isOther), next: next.filter(isOther), behind: behind.filter(isOther) };
};

/** The snapshot once a worker has taken a job. */
export const withActive = (snapshot: QueueSnapshot, job: JobOwner): QueueSnapshot => {
  const { active, ...waiting } = withoutJob(snapshot, job);
  return { ...waiting, active: [...active, job] };
};

/** The snapshot once an active job waits again. */
export const withWaiting = (snapshot: QueueSnapshot, job: JobOwner): QueueSnapshot => {
  const { behind, ...rest } = withoutJob(snapshot, job);
  return { ...rest, behind: [...behind, job] };
};

const isOneOf = (ids: readonly string[]): ((job: JobOwner) => boolean) => {
  const all = new Set(ids);
  return ({ id }) => all.has(id);
};

/** The snapshot once priorities were changed: a promotion is to the end of the wait list, a demotion to the place before the others. */
export const withChanges = (
  { active, next, behind }: QueueSnapshot,
  { promotions, demotions, spares }: PriorityChanges,
): QueueSnapshot => {
  const isChanged = isOneOf([...promotions, ...demotions, ...spares]);
  const isUnchanged = (job: JobOwner): boolean => !isChanged(job);
  return {
    active,
    next: [...next.filter(isUnchanged), ...behind.filter(isOneOf(promotions))],
    behind: [...next.filter(isOneOf(demotions)), ...behind.filter(isUnchanged)],
  };
};
