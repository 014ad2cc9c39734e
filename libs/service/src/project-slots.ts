import { Problem, type ProblemCode } from "@ikg/contracts";

/** Long requests under way in this process. */
export interface ProjectSlots {
  /**
   * Takes a slot.
   *
   * @returns what gives it back; calling it again does nothing.
   * @throws Problem `too_many_requests` (429) when the project has its share; the one of `full` when none is free.
   */
  take(project: string): () => void;
}

export interface SlotSettings {
  /** Slots of all projects together. */
  readonly total: number;
  readonly perProject: number;
  /** How refusals name the limit: of a project that has its share, and of the process. */
  readonly errors: {
    readonly ofProject: (taken: number) => string;
    readonly ofAll: (taken: number) => string;
  };
  /** Code of the refusal when no slot is free; `unavailable` when unset. */
  readonly full?: Extract<ProblemCode, "unavailable" | "too_many_requests">;
}

const headers = { "Retry-After": "5" };

/** Slots for work that lasts: a number in all, and a share of them for each project. */
export const openProjectSlots = (settings: SlotSettings): ProjectSlots => {
  const { total, perProject, errors, full = "unavailable" } = settings;
  const taken = new Map<string, number>();
  let all = 0;
  return {
    take: (project) => {
      const own = taken.get(project) ?? 0;
      if (own >= perProject)
        throw new Problem("too_many_requests", { errors: [errors.ofProject(own)], headers });
      if (all >= total) throw new Problem(full, { errors: [errors.ofAll(all)], headers });
      all += 1;
      taken.set(project, own + 1);
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        all -= 1;
        const left = (taken.get(project) ?? 1) - 1;
        if (left === 0) taken.delete(project);
        else taken.set(project, left);
      };
    },
  };
};
