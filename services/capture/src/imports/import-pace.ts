import { setTimeout as wait } from "node:timers/promises";

/** A rest up to this is slept through; a longer one ends the turn, so that other projects are served meanwhile. */
const shortRestMs = 250;

/**
 * Keeps the rows that one turn of a project writes to its rate. Nothing is remembered beyond the turn: the next one begins
 * after the rest that this one leaves, in whichever process.
 */
export interface ImportPace {
  /** Counts rows that were written. */
  wrote(rows: number): void;
  /** Milliseconds until the next chunk may be written; 0 or less: now. */
  restMs(): number;
  /** Resolves when the next chunk may be written: true at once or after a short rest, false when the turn has to end. */
  mayGoOn(signal: AbortSignal): Promise<boolean>;
}

export const openImportPace = (
  rowsPerSecond: number,
  now: () => number = () => performance.now(),
): ImportPace => {
  const startedAt = now();
  let written = 0;
  const restMs = (): number => (written / rowsPerSecond) * 1_000 - (now() - startedAt);
  return {
    wrote: (rows) => void (written += rows),
    restMs,
    mayGoOn: async (signal) => {
      const ms = restMs();
      if (ms > shortRestMs) return false;
      if (ms > 0) await wait(ms, undefined, { signal }).catch(() => undefined);
      return true;
    },
  };
};
