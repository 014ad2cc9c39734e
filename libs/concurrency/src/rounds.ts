import { setTimeout as wait } from "node:timers/promises";

/** Work that is repeated until it is closed. */
export interface Rounds {
  /** Begins, unless it has begun. */
  readonly resume: () => void;
  /** Ends it; resolves when the round under way is over. */
  readonly close: () => Promise<void>;
}

export interface RoundsParts {
  /**
   * One round. True: there is more to do, and the next one follows at once.
   *
   * @param signal aborted when the rounds are closed.
   */
  readonly round: (signal: AbortSignal) => Promise<boolean | void>;
  /** Milliseconds between two rounds. They do not keep the process alive. */
  readonly everyMs: number;
  /**
   * Called when a round rejects, but not after the end.
   *
   * @param isRepeated true when the round before rejected as well.
   */
  readonly onFailure: (error: unknown, isRepeated: boolean) => void;
}

/** Nothing runs before `resume`; the first round begins at once then. A round that fails is tried again after the usual time. */
export const openRounds = ({ round, everyMs, onFailure }: RoundsParts): Rounds => {
  const stop = new AbortController();
  const { signal } = stop;
  let going: Promise<void> | undefined;
  const go = async (): Promise<void> => {
    let isFailing = false;
    while (!signal.aborted) {
      try {
        const isMore = await round(signal);
        isFailing = false;
        if (isMore === true) continue;
      } catch (error) {
        if (!signal.aborted) onFailure(error, isFailing);
        isFailing = true;
      }
      await wait(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  return {
    resume: () => void (going ??= go()),
    close: async () => {
      stop.abort();
      await going;
    },
  };
};
