/** Interruption: Ctrl-C, a signal, or the end of the process that started this one. */

export interface Interruption {
  /** aborted by the first request */
  readonly signal: AbortSignal;
  /** kept at the second request: stop at once, without cleaning up */
  readonly forced: Promise<void>;
  /** from now on the starting process may end without this one ending, too */
  detach(): void;
}

/** npm and the terminal both deliver the same Ctrl-C; what comes within this time is one request. */
const sameRequestMs = 1_000;

export const watchInterruption = (): Interruption => {
  const stopping = new AbortController();
  const forced = Promise.withResolvers<void>();
  let first: number | undefined;
  const request = () => {
    const now = performance.now();
    first ??= now;
    stopping.abort();
    if (now - first > sameRequestMs) forced.resolve();
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, request);
  process.on("disconnect", request);
  process.channel?.unref();
  return {
    signal: stopping.signal,
    forced: forced.promise,
    detach: () => process.off("disconnect", request),
  };
};

/** A promise kept when the signal is aborted. */
export const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
