import { setTimeout as delay } from "node:timers/promises";
import { LRUCache } from "lru-cache";

export interface RefusalLimits {
  /** Refused bearer tokens of a project that get an immediate response, in a second. */
  readonly perSecond: number;
  /** How long further refusals are delayed. */
  readonly holdMs: number;
  /** Delayed refusals of one project at one time. */
  readonly maxHeld: number;
}

export const refusalLimits: RefusalLimits = { perSecond: 20, holdMs: 500, maxHeld: 64 };

interface Refusals {
  /** The second that `count` is about. */
  second: number;
  count: number;
  held: number;
}

/** Resolves when the refusal of a bearer token of the project may be sent. */
export type RefusalPace = (project: string) => Promise<void>;

const maxProjects = 1_000;

/**
 * Delays refusals when a project has many: each costs as much processor time as an accepted request, and a client that sends
 * invalid tokens sends the next one after the response. Accepted tokens are never delayed, and neither are the few refusals
 * of tokens that have just expired.
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
