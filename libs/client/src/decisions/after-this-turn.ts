interface Host {
  readonly setImmediate?: (callback: () => void) => unknown;
}

/**
 * Runs a callback when everything of this turn of the event loop has run, promises included. Browsers have no
 * `setImmediate`.
 */
export const afterThisTurn = (callback: () => void): void => {
  const { setImmediate } = globalThis as Host;
  if (setImmediate === undefined) setTimeout(callback, 0);
  else setImmediate(callback);
};
