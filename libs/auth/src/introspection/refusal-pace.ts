import { setTimeout as delay } from "node:timers/promises";
import { boundedMap } from "../bounded-map.ts";

export interface RefusalLimits {
  /** Refused bearers of a project that are answered at once, in a second. */
  readonly perSecond: number;
  /** How long the others are held. */
  readonly holdMs: number;
  /** Held at one time, of one project. */
  readonly maxHeld: number;
}

export const refusalLimits: RefusalLimits = { perSecond: 20, holdMs: 500, maxHeld: 64 };

interface Refusals {
  /** The second that is counted. */
  second: number;
  count: number;
  held: number;
}

/** Resolves when the refusal of a bearer of the project may be told. */
export type RefusalPace = (project: string) => Promise<void>;

const keptProjects = 1_000;

/**
 * Holds refusals back where a project has many: each costs the processors as much as an accepted request, and whoever
 * sends bad bearers sends the next one when it was told of the last. A bearer that is accepted is never held, and
 * neither are the few refusals of bearers that have just expired.
 */
export const openRefusalPace = (
  { perSecond, holdMs, maxHeld }: RefusalLimits = refusalLimits,
  now: () => number = () => performance.now(),
): RefusalPace => {
  const projects = boundedMap<string, Refusals>(keptProjects);
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
