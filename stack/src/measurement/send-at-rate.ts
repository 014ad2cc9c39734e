/** Requests at a fixed rate, whatever becomes of earlier ones: a caller that waits for answers would hide a standstill. */
import { setTimeout as delay } from "node:timers/promises";

/**
 * Sends requests until `isOver`, and awaits every answer.
 *
 * @param isOver called with the number of the next request, from 0
 * @param send called with the number of the request and the moment at which it is due; its promise is not rejected
 */
export const sendAtRate = async (
  perSecond: number,
  isOver: (number: number) => boolean,
  send: (number: number, due: number) => Promise<void>,
): Promise<void> => {
  const pending = new Set<Promise<void>>();
  const began = performance.now();
  for (let number = 0; !isOver(number); number++) {
    const due = began + (number * 1_000) / perSecond;
    const early = due - performance.now();
    if (early > 0) await delay(early);
    const request: Promise<void> = send(number, due).finally(() => pending.delete(request));
    pending.add(request);
  }
  await Promise.all(pending);
};
