import { setTimeout as wait } from "node:timers/promises";
import { type Gid, Problem } from "@ikg/contracts";
import { openPlannedTexts, type PlannedTexts } from "./planned-texts.ts";

/** Limits of the planning of texts that are saved or validated: it costs the database processor time that no statement timeout ends. */
export interface PlanningLimits {
  /** Texts of one organization at one time. */
  readonly perOrganization: number;
  /** Texts of all organizations at one time. */
  readonly total: number;
  /** How long one statement may be planned, in milliseconds. */
  readonly statementMs: number;
}

/** Longest wait of a request for its turn, and most waiting requests of one organization. */
const waitMs = 10_000;
const waitingPerOrganization = 100;

/** One text that is planned. It is released when the database has finished, even if its caller has disconnected. */
export interface PlanningTurn {
  release(): void;
}

export interface Planning {
  readonly limits: PlanningLimits;
  /** Texts of an organization that were planned in time and are not planned again. */
  readonly plannedOf: (organizationId: Gid) => PlannedTexts;
  /**
   * Waits until a text of this organization may be planned; organizations take turns.
   *
   * @throws Problem `too_many_requests` (429) when the organization already uses its share, `unavailable` (503) when no slot becomes
   *   free in time; the signal's reason when aborted.
   */
  enter(organizationId: Gid, signal: AbortSignal): Promise<PlanningTurn>;
}

interface QueuedText {
  readonly organizationId: Gid;
  readonly begin: () => void;
}

const retryAfter = { "Retry-After": "5" };

const tooMany = ({ perOrganization }: PlanningLimits): Problem =>
  new Problem("too_many_requests", {
    headers: retryAfter,
    errors: [
      `PLANNING_PER_ORGANIZATION: at most ${perOrganization} policies and queries are planned at one time for one organization`,
    ],
  });

const planningFull = ({ total }: PlanningLimits): Problem =>
  new Problem("unavailable", {
    headers: retryAfter,
    errors: [
      `PLANNING_TOTAL: ${total} policies and queries are being planned, the maximum of all organizations`,
    ],
  });

/** Counts the texts being planned, by organization. */
const openPlanningCounts = ({ perOrganization, total }: PlanningLimits) => {
  const running = new Map<Gid, number>();
  let all = 0;
  const of = (id: Gid): number => running.get(id) ?? 0;
  return {
    of,
    isFree: (id: Gid): boolean => all < total && of(id) < perOrganization,
    begin: (id: Gid): void => {
      all += 1;
      running.set(id, of(id) + 1);
    },
    end: (id: Gid): void => {
      all -= 1;
      const left = of(id) - 1;
      if (left === 0) running.delete(id);
      else running.set(id, left);
    },
  };
};

type PlanningCounts = ReturnType<typeof openPlanningCounts>;

/** Begins those that wait, as far as there are free slots; the next one is the first of those whose organization has least. */
const beginWaiting = (running: PlanningCounts, waiting: Set<QueuedText>): void => {
  for (;;) {
    const free = [...waiting].filter(({ organizationId }) => running.isFree(organizationId));
    const least = Math.min(...free.map(({ organizationId }) => running.of(organizationId)));
    const chosen = free.find(({ organizationId }) => running.of(organizationId) === least);
    if (chosen === undefined) return;
    waiting.delete(chosen);
    running.begin(chosen.organizationId);
    chosen.begin();
  }
};

/** Waits for a turn. @returns whether it came, or why not */
const waitForTurn = async (
  waiting: Set<QueuedText>,
  organizationId: Gid,
  signal: AbortSignal,
): Promise<"turn" | "timeout" | "aborted"> => {
  const { promise, resolve } = Promise.withResolvers<"turn">();
  const entry: QueuedText = { organizationId, begin: () => resolve("turn") };
  waiting.add(entry);
  const over = new AbortController();
  const timeout = wait(waitMs, "timeout" as const, {
    signal: AbortSignal.any([signal, over.signal]),
  }).catch(() => "aborted" as const);
  const outcome = await Promise.race([promise, timeout]);
  over.abort();
  waiting.delete(entry);
  return outcome;
};

/** Bounds how many texts the database plans at one time, for each organization and for all of them. */
export const openPlanning = (limits: PlanningLimits): Planning => {
  const running = openPlanningCounts(limits);
  const waiting = new Set<QueuedText>();

  const turnOf = (id: Gid): PlanningTurn => {
    let isOpen = true;
    return {
      release: () => {
        if (!isOpen) return;
        isOpen = false;
        running.end(id);
        beginWaiting(running, waiting);
      },
    };
  };

  return {
    limits,
    plannedOf: openPlannedTexts(),
    enter: async (id, signal) => {
      signal.throwIfAborted();
      if (running.isFree(id)) {
        running.begin(id);
        return turnOf(id);
      }
      const before = [...waiting].filter(({ organizationId }) => organizationId === id).length;
      if (before >= waitingPerOrganization) throw tooMany(limits);
      const outcome = await waitForTurn(waiting, id, signal);
      if (outcome === "turn") return turnOf(id);
      if (outcome === "aborted") signal.throwIfAborted();
      throw running.of(id) >= limits.perOrganization ? tooMany(limits) : planningFull(limits);
    },
  };
};
