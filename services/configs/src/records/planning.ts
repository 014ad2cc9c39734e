import { setTimeout as wait } from "node:timers/promises";
import { type Gid, Problem } from "@ikg/contracts";

/** What the database may plan of texts that are saved or validated, which costs it processor time that no limit of a statement ends. */
export interface PlanningLimits {
  /** Texts of one organization at one time. */
  readonly perOrganization: number;
  /** Texts of all organizations at one time. */
  readonly total: number;
  /** How long one statement may be planned, in milliseconds. */
  readonly statementMs: number;
}

/** How long a request waits for its turn, and how many requests of one organization wait at most. */
const waitMs = 10_000;
const waitingPerOrganization = 100;

/** One text that is planned. Released when the database is done with it, though its caller may be gone. */
export interface PlanningTurn {
  release(): void;
}

export interface Planning {
  readonly limits: PlanningLimits;
  /**
   * Waits until a text of this organization may be planned; organizations take turns.
   *
   * @throws Problem `too_many_requests` (429) when the organization has its share and more than that, `unavailable` (503) when
   *   the others leave no room in time; the signal's reason when aborted.
   */
  enter(organizationId: Gid, signal: AbortSignal): Promise<PlanningTurn>;
}

interface Waiting {
  readonly organizationId: Gid;
  readonly begin: () => void;
}

const retryAfter = { "Retry-After": "5" };

/** Bounds what one organization, and all of them, have the database plan at one time. */
export const openPlanning = (limits: PlanningLimits): Planning => {
  const { perOrganization, total } = limits;
  const running = new Map<Gid, number>();
  let waiting: readonly Waiting[] = [];
  let all = 0;

  const ofOrganization = (id: Gid): number => running.get(id) ?? 0;
  const isFree = (id: Gid): boolean => all < total && ofOrganization(id) < perOrganization;
  const begin = (id: Gid): void => {
    all += 1;
    running.set(id, ofOrganization(id) + 1);
  };
  /** The next one is the first of those whose organization has least. */
  const next = (): void => {
    for (;;) {
      const free = waiting.filter(({ organizationId }) => isFree(organizationId));
      const least = Math.min(...free.map(({ organizationId }) => ofOrganization(organizationId)));
      const chosen = free.find(({ organizationId }) => ofOrganization(organizationId) === least);
      if (chosen === undefined) return;
      waiting = waiting.filter((each) => each !== chosen);
      begin(chosen.organizationId);
      chosen.begin();
    }
  };
  const turnOf = (id: Gid): PlanningTurn => {
    let open = true;
    return {
      release: () => {
        if (!open) return;
        open = false;
        all -= 1;
        const left = ofOrganization(id) - 1;
        if (left === 0) running.delete(id);
        else running.set(id, left);
        next();
      },
    };
  };
  const tooMany = (): Problem =>
    new Problem("too_many_requests", {
      headers: retryAfter,
      errors: [
        `PLANNING_PER_ORGANIZATION: at most ${perOrganization} policies and queries are planned at one time for one organization`,
      ],
    });

  return {
    limits,
    enter: async (organizationId, signal) => {
      signal.throwIfAborted();
      if (isFree(organizationId)) {
        begin(organizationId);
        return turnOf(organizationId);
      }
      const before = waiting.filter((each) => each.organizationId === organizationId).length;
      if (before >= waitingPerOrganization) throw tooMany();
      const { promise, resolve } = Promise.withResolvers<"turn">();
      const entry: Waiting = { organizationId, begin: () => resolve("turn") };
      waiting = [...waiting, entry];
      const over = new AbortController();
      const late = wait(waitMs, "late" as const, { signal: AbortSignal.any([signal, over.signal]) }).catch(
        () => "left" as const,
      );
      const outcome = await Promise.race([promise, late]);
      over.abort();
      if (outcome === "turn") return turnOf(organizationId);
      waiting = waiting.filter((each) => each !== entry);
      if (outcome === "left") signal.throwIfAborted();
      if (ofOrganization(organizationId) >= perOrganization) throw tooMany();
      throw new Problem("unavailable", {
        headers: retryAfter,
        errors: [`PLANNING_TOTAL: ${total} policies and queries are planned at this time`],
      });
    },
  };
};
