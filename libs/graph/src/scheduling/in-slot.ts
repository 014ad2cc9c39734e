import { Problem } from "@ikg/contracts";
import type { StatementOptions } from "../types.ts";
import type { Slot, StatementEnd } from "./types.ts";

/** How long the server is given to end a statement that was stopped before its slot is given back all the same. */
const stopMs = 60_000;

/** Options of a run, with a callback besides its result. */
export interface RunOptions extends StatementOptions {
  /** Called for a statement that is stopped, with a promise that settles when the server has ended it and the connection is free. */
  readonly onClosing?: ((closing: Promise<unknown>) => void) | undefined;
}

const withinTime = (work: Promise<unknown>, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms).unref();
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    work.then(end, end);
  });

/**
 * Runs a statement in its slot. The slot of a statement that was stopped, also of one that gave enough rows, is given back when the server has ended it: until then
 * it occupies a connection and maybe a processor, even though its caller has the response.
 */
export const runInSlot = async <T>(
  slot: Slot,
  options: StatementOptions,
  work: (options: RunOptions) => Promise<T>,
): Promise<T> => {
  let closing: Promise<unknown> | undefined;
  const release = (end: StatementEnd): void => {
    if (closing === undefined) slot.release(end);
    else void withinTime(closing, stopMs).then(() => slot.release(end));
  };
  try {
    const result = await work({
      ...options,
      timeoutMs: Math.max(1, options.timeoutMs - slot.waitedMs),
      onClosing: (promise) => {
        closing = promise;
      },
    });
    release("ended");
    return result;
  } catch (error) {
    const isUnreached = error instanceof Problem && error.code === "unavailable";
    release(isUnreached ? "unmeasured" : options.signal?.aborted === true ? "stopped" : "ended");
    throw error;
  }
};
