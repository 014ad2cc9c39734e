import { setTimeout as delay } from "node:timers/promises";
import { LRUCache } from "lru-cache";

export interface RefusalLimits {
  /** Refusals of a project that get an immediate response, in a second. */
  readonly perSecond: number;
  /** How long further refusals are delayed. */
  readonly holdMs: number;
  /** Delayed refusals of one project at one time. */
  readonly maxHeld: number;
}

export const refusalLimits: RefusalLimits = { perSecond: 10, holdMs: 1_000, maxHeld: 64 };

interface Refusals {
  /** The second that `count` is about. */
  second: number;
  count: number;
  held: number;
}

/** Resolves when a refusal of the project may be sent. */
export type RefusalPace = (project: string) => Promise<void>;

const maxProjects = 1_000;

/**
 * Delays refusals when a project has many: each costs processor time, and a client that ignores `Retry-After`, or sends invalid
 * tokens, sends the next request after the response. Accepted requests are not delayed, and neither are the few refusals of a
 * client that waits.
 */
export const openRefusalPace = (
  { perSecond, holdMs, maxHeld }: RefusalLimits = refusalLimits,
  now: () => number = () => performance.now(),
): RefusalPace => {
  const projects = new LRUCache<string, Refusals>({ max: maxProjects });
  return async (project) => {
    const second = Math.floor(now() / 1_000);
    const known = projects.get(project) ?? { second, count: 0, held: 0 };
    projects.set(project, known);
    if (known.second !== second) Object.assign(known, { second, count: 0 });
    if (++known.count <= perSecond || known.held >= maxHeld) return;
    known.held += 1;
    await delay(holdMs);
    known.held -= 1;
  };
};
