/** Milliseconds of work after which the page is given a turn: well below the 50 ms that are felt. */
const turnMs = 8;

/** Resolves in a task of its own; unlike a timer, not throttled in a tab in the background. */
const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const end = (): void => {
      port1.close();
      resolve();
    };
    port1.addEventListener("message", end, { once: true });
    port1.start();
    port2.postMessage(undefined);
  });

/** Ends the task now and then, so that the page reacts while a large file is read. */
export const pageTurns = (): (() => Promise<void>) => {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < turnMs) return;
    await nextTask();
    since = performance.now();
  };
};
