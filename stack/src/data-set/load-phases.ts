/** The phases of a load, each of which lasts until the next one begins, and what the load did in each. */
import { setTimeout as pause } from "node:timers/promises";

export interface LoadPhase {
  readonly name: string;
  /** Times that every question was asked, from the first one to the last, within the phase. */
  passes: number;
  /** Imports that were accepted in the phase, and are done. */
  imports: number;
}

export interface LoadPhases {
  readonly all: readonly Readonly<LoadPhase>[];
  current(): LoadPhase;
  begin(name: string): void;
  /**
   * Waits until every question was asked once from now on, and imports that begin from now on are done.
   *
   * @throws Error after five minutes
   */
  untilCovered(): Promise<void>;
}

const coveredMs = 300_000;
const pollMs = 100;

/** Whether a phase had a whole pass over the questions, and an import. */
export const isCovered = ({ passes, imports }: Readonly<LoadPhase>): boolean => passes > 0 && imports > 0;

/** @param importsAtOnce of the load */
export const openLoadPhases = (first: string, importsAtOnce: number): LoadPhases => {
  let current: LoadPhase = { name: first, passes: 0, imports: 0 };
  const all = [current];
  return {
    all,
    current: () => current,
    begin: (name) => {
      current = { name, passes: 0, imports: 0 };
      all.push(current);
    },
    untilCovered: async () => {
      // The pass and the imports under way have begun before now.
      const passes = current.passes + 2;
      const imports = current.imports + 2 * importsAtOnce;
      for (const end = Date.now() + coveredMs; Date.now() < end; await pause(pollMs))
        if (current.passes >= passes && current.imports >= imports) return;
      throw new Error(`not covered within ${coveredMs / 1_000} s: ${describePhases([current])}`);
    },
  };
};

export const describePhases = (phases: readonly Readonly<LoadPhase>[]): string =>
  phases
    .map(({ name, passes, imports }) => `${name}: ${passes} passes over the questions, ${imports} imports`)
    .join("; ");
