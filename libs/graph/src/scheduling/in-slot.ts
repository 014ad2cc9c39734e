import { Problem } from "@ikg/contracts";
import type { StatementOptions } from "../types.ts";
import type { Slot, StatementEnd } from "./types.ts";

/** How long the server is given to end a statement that was stopped before its slot is given back all the same. */
const stopMs = 60_000;

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
  work: (options: StatementOptions) => Promise<T>,
): Promise<T> => {
  let closing: Promise<void> | undefined;
  const release = (end: StatementEnd): void => {
    if (closing === undefined) slot.release(end);
    else void closing.then(() => slot.release(end));
  };
  try {
    const result = await work({
      ...options,
      timeoutMs: Math.max(1, options.timeoutMs - slot.waitedMs),
      onClosing: (promise) => {
        closing = withinTime(promise, stopMs);
        options.onClosing?.(closing);
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
