import { Activity } from "@ikg/concurrency";
import type { Capacity } from "./capacity.ts";
import { ProjectShare } from "./project-share.ts";
import { Share } from "./share.ts";
import type { Turns } from "./turns.ts";
import type { ScheduledProject } from "./types.ts";

/** Projects at which idle ones are forgotten, with what was measured of them. */
const maxProjects = 2_000;
/** Further projects until that is tried again, where most of them are busy or in debt: it sorts all of them. */
const retryAfter = 500;
/** At so many projects, idle ones in debt are forgotten as well. */
const maxWithDebts = 4_000;

/** The shares of projects and of their organizations in one database. */
export class ProjectShares {
  readonly #capacity: Capacity;
  readonly #turns: Turns;
  readonly #projects = new Map<string, ProjectShare>();
  readonly #organizations = new Map<string, Share>();
  readonly #projectActivity = new Activity<Share>();
  readonly #organizationActivity = new Activity<Share>();
  #forgetAt = maxProjects;

  /** @param turns of the statements that wait */
  constructor(capacity: Capacity, turns: Turns) {
    this.#capacity = capacity;
    this.#turns = turns;
  }

  /** The share of a project, or of an organization, if it is known. */
  find(kind: "project" | "organization", id: string): Share | undefined {
    return (kind === "project" ? this.#projects : this.#organizations).get(id);
  }

  /** The share of a project. A call without limits, or without an organization, leaves them as an earlier call stated them. */
  of({ id, organizationId, limits }: ScheduledProject, now: number): ProjectShare {
    let share = this.#projects.get(id);
    if (share === undefined) share = this.#add(id, organizationId ?? id, now);
    else if (organizationId !== undefined && organizationId !== share.organizationId)
      this.#move(share, organizationId);
    if (limits !== undefined) {
      share.limit = limits.concurrent_statements;
      share.setRate(limits.database_ms_per_second ?? Infinity, now);
    }
    return share;
  }

  /** Projects with waiting statements, and how many. */
  waiting(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const [id, { waitingCount }] of this.#projects) if (waitingCount > 0) counts.set(id, waitingCount);
    return counts;
  }

  #add(id: string, organizationId: string, now: number): ProjectShare {
    if (this.#projects.size >= this.#forgetAt) this.#forgetIdle(now);
    const { longContended } = this.#capacity;
    const organization = this.#organizationOf(organizationId);
    const share = new ProjectShare(id, longContended, this.#projectActivity, organization);
    this.#projects.set(id, share);
    return share;
  }

  #organizationOf(id: string): Share {
    let organization = this.#organizations.get(id);
    if (organization === undefined) {
      organization = new Share(id, this.#capacity.longOfOrganization, this.#organizationActivity);
      this.#organizations.set(id, organization);
    }
    return organization;
  }

  /** Its first call may have come from where the organization was not known. */
  #move(share: ProjectShare, organizationId: string): void {
    this.#turns.remove(share);
    share.moveTo(this.#organizationOf(organizationId));
    if (share.waitingCount > 0) this.#turns.add(share);
  }

  /**
   * Forgets idle projects, the longest idle first. One in debt would begin without it, so it is kept until it has paid, which
   * takes half a minute at most, or until there are too many.
   */
  #forgetIdle(now: number): void {
    const idle = [...this.#projects.values()]
      .filter(({ inFlight, waitingCount }) => inFlight + waitingCount === 0)
      .toSorted((one, next) => one.usedAt - next.usedAt);
    this.#forget(
      idle.filter((share) => !share.isInDebt(now)),
      maxProjects / 2,
    );
    this.#forget(idle, maxWithDebts - retryAfter);
    const known = new Set([...this.#projects.values()].map(({ organization }) => organization));
    for (const [id, organization] of this.#organizations)
      if (!known.has(organization)) this.#organizations.delete(id);
    this.#forgetAt = Math.max(maxProjects, this.#projects.size + retryAfter);
  }

  /** Forgets the first of these until so many projects are left. */
  #forget(shares: readonly ProjectShare[], count: number): void {
    for (const { id } of shares) {
      if (this.#projects.size <= count) return;
      this.#projects.delete(id);
    }
  }
}
