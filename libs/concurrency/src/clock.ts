/** Time as work that waits for it sees it. */
export interface Clock {
  /** Milliseconds since any moment. */
  now(): number;
  /** Calls `action` after `ms` milliseconds; returns a function that cancels it. */
  after(ms: number, action: () => void): () => void;
}

/** Its timers do not keep the process alive: what waits has a connection that does. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after: (ms, action) => {
    const timer = setTimeout(action, ms).unref();
    return () => clearTimeout(timer);
  },
};
