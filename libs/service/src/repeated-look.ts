import { setTimeout as wait } from "node:timers/promises";

const everyMs = 10_000;

/**
 * Looks every few seconds, at once for the first time, for gauges that need a store: a scrape must not wait for one that is
 * unreachable. A look that fails is left out: what is away is reported by those who need it.
 */
export const repeatedLook = (look: () => Promise<void>): { close(): Promise<void> } => {
  const stop = new AbortController();
  const looking = (async () => {
    while (!stop.signal.aborted) {
      await look().catch(() => undefined);
      await wait(everyMs, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
    }
  })();
  return {
    close: async () => {
      stop.abort();
      await looking;
    },
  };
};
