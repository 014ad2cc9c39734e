import type { JobOwner, QueueSnapshot } from "./queue-snapshot.ts";

/** Ids of the jobs whose priority differs from the one that the order of turns gives them. */
export interface PriorityChanges {
  /** From `behind` to `next`, in this order. */
  readonly promotions: readonly string[];
  /** From `next` to `behind`. */
  readonly demotions: readonly string[];
  /** From either to `spare`. */
  readonly spares: readonly string[];
}

const countByOrganization = (jobs: readonly JobOwner[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { organization } of jobs) counts.set(organization, (counts.get(organization) ?? 0) + 1);
  return counts;
};

/** The first job of each organization. */
export const firstOfEach = (jobs: readonly JobOwner[]): readonly JobOwner[] => {
  const firsts = new Map<string, JobOwner>();
  for (const job of jobs) if (!firsts.has(job.organization)) firsts.set(job.organization, job);
  return [...firsts.values()];
};

/**
 * The jobs that are taken first: those of the organizations with the fewest active jobs. Of organizations
 * without an active job, each has one. Where all have some, it is one job: once it is active, another
 * organization may have the fewest.
 */
const chooseNext = (active: readonly JobOwner[], turns: readonly JobOwner[]): readonly JobOwner[] => {
  const counts = countByOrganization(active);
  const countOf = ({ organization }: JobOwner): number => counts.get(organization) ?? 0;
  const firsts = firstOfEach(turns);
  const fewest = firsts.reduce((least, job) => Math.min(least, countOf(job)), Infinity);
  const candidates = firsts.filter((job) => countOf(job) === fewest);
  return fewest === 0 ? candidates : candidates.slice(0, 1);
};

/** How the priorities of waiting jobs have to change, so that organizations share the workers. */
export const planChanges = ({ active, next, behind }: QueueSnapshot): PriorityChanges => {
  const waiting = [...next, ...behind];
  const turns = waiting.filter(({ takesTurns }) => takesTurns);
  const chosen = chooseNext(active, turns);
  const ids = new Set(chosen.map(({ id }) => id));
  const isActive = (job: JobOwner): boolean => active.some((each) => each.organization === job.organization);
  const [first] = turns;
  // It is taken first without a change, and an organization without an active job may still come before it.
  const isInPlace = (job: JobOwner): boolean => job === first && isActive(job);
  return {
    promotions: behind.filter((job) => ids.has(job.id) && !isInPlace(job)).map(({ id }) => id),
    demotions: next.filter((job) => job.takesTurns && !ids.has(job.id)).map(({ id }) => id),
    spares: waiting.filter(({ takesTurns }) => !takesTurns).map(({ id }) => id),
  };
};
