/**
 * Lets one of several callers continue in each turn of the event loop, in the order of their calls. Slices of work of several
 * requests in one turn would delay everything else by their sum.
 *
 * @returns resolves when it is the turn of its caller.
 */
export const openLoopTurns = (): (() => Promise<void>) => {
  const waiting: (() => void)[] = [];
  const next = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(next);
    });
};
