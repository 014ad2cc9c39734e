import type { Tenant } from "@ikg/concurrency";
import { Problem, type ProblemCode } from "@ikg/contracts";
import { Holdings, organizationShare } from "./holdings.ts";

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

/** Slots for work that lasts: a number in all, and a share of them for each project and for each organization. */
export const openProjectSlots = (settings: SlotSettings): ProjectSlots => {
  const { total, perProject, errors, full = "unavailable" } = settings;
  const projects = new Holdings(perProject);
  const organizations = new Holdings(Math.max(perProject, Math.floor(total * organizationShare)));
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
      const { id, organizationId } = tenant;
      if (!projects.hasCapacity(id, 1))
        refuse("too_many_requests", errors.ofOwner(projects.of(id), "project"));
      if (!organizations.hasCapacity(organizationId, 1))
        refuse("too_many_requests", errors.ofOwner(organizations.of(organizationId), "organization"));
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
