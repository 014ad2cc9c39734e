import { setTimeout as wait } from "node:timers/promises";

/** A turn waits for a pause of up to this time; a longer one ends it, so that its worker is free for other projects. */
const longestWaitMs = 250;

/**
 * Limits the rate at which one turn of a project writes rows. The pause that a turn leaves is that of the job of its project:
 * nothing else is kept between turns.
 */
export interface ImportPace {
  /** Counts rows that were written. */
  add(rows: number): void;
  /** Milliseconds until the next chunk may be written; 0 or less: now. */
  pauseMs(): number;
  /** Resolves when the next chunk may be written, at once or after a short pause; to false when the turn has to end. */
  canContinue(signal: AbortSignal): Promise<boolean>;
}

/** @param rowsPerSecond limit of the project. @param now milliseconds of any clock that never goes back. */
export const openImportPace = (
  rowsPerSecond: number,
  now: () => number = () => performance.now(),
): ImportPace => {
  const startedAt = now();
  let written = 0;
  const pauseMs = (): number => (written / rowsPerSecond) * 1_000 - (now() - startedAt);
  return {
    add: (rows) => void (written += rows),
    pauseMs,
    canContinue: async (signal) => {
      const ms = pauseMs();
      if (ms > longestWaitMs) return false;
      if (ms > 0) await wait(ms, undefined, { signal }).catch(() => undefined);
      return true;
    },
  };
};
