import type { Tenant } from "@ikg/concurrency";
import { Problem, type ProblemCode } from "@ikg/contracts";

/** Long requests under way in this process. */
export interface ProjectSlots {
  /**
   * Takes a slot.
   *
   * @returns what gives it back; calling it again does nothing.
   * @throws Problem `too_many_requests` (429) when the project or its organization has its share; the one of `full` when none is free.
   */
  take(tenant: Tenant): () => void;
}

export interface SlotSettings {
  /** Slots of all projects together; all projects of one organization have three quarters of them. */
  readonly total: number;
  readonly perProject: number;
  /** How refusals name the limit: of a project or organization that has its share, and of the process. */
  readonly errors: {
    readonly ofOwner: (taken: number, owner: "project" | "organization") => string;
    readonly ofAll: (taken: number) => string;
  };
  /** Code of the refusal when no slot is free; `unavailable` when unset. */
  readonly full?: Extract<ProblemCode, "unavailable" | "too_many_requests">;
}

const headers = { "Retry-After": "5" };

/** Slots that projects, or organizations, have taken. */
class Taken {
  readonly #counts = new Map<string, number>();

  of(id: string): number {
    return this.#counts.get(id) ?? 0;
  }

  add(id: string, by: 1 | -1): void {
    const count = this.of(id) + by;
    if (count === 0) this.#counts.delete(id);
    else this.#counts.set(id, count);
  }
}

/** Slots for work that lasts: a number in all, and a share of them for each project and for each organization. */
export const openProjectSlots = (settings: SlotSettings): ProjectSlots => {
  const { total, perProject, errors, full = "unavailable" } = settings;
  const perOrganization = Math.max(perProject, Math.floor((3 * total) / 4));
  const [projects, organizations] = [new Taken(), new Taken()];
  let all = 0;
  const count = ({ id, organizationId }: Tenant, by: 1 | -1): void => {
    all += by;
    projects.add(id, by);
    organizations.add(organizationId, by);
  };
  const refuse = (code: ProblemCode, error: string): never => {
    throw new Problem(code, { errors: [error], headers });
  };
  return {
    take: (tenant) => {
      const [own, ofOrganization] = [projects.of(tenant.id), organizations.of(tenant.organizationId)];
      if (own >= perProject) refuse("too_many_requests", errors.ofOwner(own, "project"));
      if (ofOrganization >= perOrganization)
        refuse("too_many_requests", errors.ofOwner(ofOrganization, "organization"));
      if (all >= total) refuse(full, errors.ofAll(all));
      count(tenant, 1);
      let isTaken = true;
      return () => {
        if (isTaken) count(tenant, -1);
        isTaken = false;
      };
    },
  };
};
