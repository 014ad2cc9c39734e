/** For as long the page may be busy before it draws and listens again, in milliseconds. */
const busyMs = 12;

const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/**
 * Items with pauses in which the page goes on. Not by a worker: the page's Trusted Types let no address become a script.
 *
 * @throws the reason of the signal, between two items.
 */
export async function* paced<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  let since = performance.now();
  for await (const item of items) {
    signal.throwIfAborted();
    yield item;
    if (performance.now() - since < busyMs) continue;
    await nextTurn();
    since = performance.now();
  }
}
