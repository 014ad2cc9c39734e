import { setTimeout as wait } from "node:timers/promises";

/** Work that is repeated until it is closed. */
export interface PeriodicTask {
  /** Starts the task; no effect if it is already running. */
  readonly start: () => void;
  /** Stops the task; resolves when the current run has ended. */
  readonly close: () => Promise<void>;
}

export interface PeriodicTaskOptions {
  /**
   * One run. Returns true if more work is left: the next run then follows without a pause.
   *
   * @param signal aborted when the task is closed.
   */
  readonly run: (signal: AbortSignal) => Promise<boolean | void>;
  /** Milliseconds between two runs. The timer does not keep the process alive. */
  readonly everyMs: number;
  /**
   * Called when a run rejects, unless the task has been closed.
   *
   * @param isRepeated true if the previous run rejected as well.
   */
  readonly onFailure: (error: unknown, isRepeated: boolean) => void;
}

/** Nothing runs before `start`, which begins the first run immediately. A failed run is repeated after the usual pause. */
export const createPeriodicTask = ({ run, everyMs, onFailure }: PeriodicTaskOptions): PeriodicTask => {
  const stop = new AbortController();
  const { signal } = stop;
  let running: Promise<void> | undefined;
  const loop = async (): Promise<void> => {
    let isFailing = false;
    while (!signal.aborted) {
      try {
        const isMore = await run(signal);
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
    start: () => void (running ??= loop()),
    close: async () => {
      stop.abort();
      await running;
    },
  };
};
