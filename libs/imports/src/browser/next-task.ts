/** Milliseconds of work in one task: well below the 50 ms after which a page feels slow. */
const maxTaskMs = 8;

/** Resolves in a new task. Unlike a timer, it is not throttled in background tabs. */
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

/** Returns a function that ends the current task when it has taken too long, so that the page stays responsive. */
export const taskYielder = (): (() => Promise<void>) => {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < maxTaskMs) return;
    await nextTask();
    since = performance.now();
  };
};
