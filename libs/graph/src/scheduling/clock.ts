/** Time as the scheduler sees it. */
export interface Clock {
  /** Milliseconds since any moment. */
  now(): number;
  /** Calls `action` after `ms` milliseconds; returns a function that cancels it. */
  after(ms: number, action: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after: (ms, action) => {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
};
