import { Problem } from "@ikg/contracts";

export interface SlotLimits {
  /** Tokens of one project that are verified or introspected at one time. */
  readonly atOnce: number;
  readonly maxWaiting: number;
  readonly waitMs: number;
}

const slotLimits: SlotLimits = { atOnce: 16, maxWaiting: 256, waitMs: 5_000 };

interface Project {
  running: number;
  readonly waiting: Set<() => void>;
}

/** Runs the verification of a token in a slot of its project. */
export type InSlot = <T>(project: string, verify: () => Promise<T>) => Promise<T>;

const refusal = ({ maxWaiting, waitMs }: SlotLimits): Problem =>
  new Problem("too_many_requests", {
    errors: [
      `token verifications: at most ${maxWaiting} of a project may wait, for at most ${waitMs} ms; retry later`,
    ],
    headers: { "Retry-After": "1" },
  });

/**
 * Slots of each project. Tokens that are not cached wait for one, so that a burst of them fills neither the threads that
 * verify signatures nor the connections to issuers, and tokens of another project wait for a few at most.
 *
 * @throws Problem `too_many_requests` (429) when too many wait, or one waits for too long.
 */
export const openVerificationSlots = (limits: SlotLimits = slotLimits): InSlot => {
  const projects = new Map<string, Project>();

  const enter = (project: Project): Promise<void> | undefined => {
    if (project.running < limits.atOnce) {
      project.running++;
      return undefined;
    }
    if (project.waiting.size >= limits.maxWaiting) throw refusal(limits);
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        project.waiting.delete(admit);
        reject(refusal(limits));
      }, limits.waitMs);
      project.waiting.add(admit);
    });
  };

  const leave = (id: string, project: Project): void => {
    const [next] = project.waiting;
    if (next !== undefined) {
      // The next one gets the slot.
      project.waiting.delete(next);
      next();
    } else if (--project.running === 0) projects.delete(id);
  };

  return async (id, verify) => {
    const project = projects.get(id) ?? { running: 0, waiting: new Set<() => void>() };
    projects.set(id, project);
    const turn = enter(project);
    if (turn !== undefined) await turn;
    try {
      return await verify();
    } finally {
      leave(id, project);
    }
  };
};
