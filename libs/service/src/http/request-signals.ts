import type { ServerResponse } from "node:http";

/** The signal of a request: aborted when its caller has disconnected, or when running requests must end. */
export type SignalOf = (response: ServerResponse) => AbortSignal;

/**
 * One controller for each running request. A signal made of two others would cost several times as much, and each
 * request pays.
 *
 * @param deadline of all running requests.
 */
export const requestSignals = (deadline: AbortSignal): SignalOf => {
  const running = new Set<AbortController>();
  deadline.addEventListener("abort", () => {
    for (const request of running) request.abort(deadline.reason);
  });
  return (response) => {
    const request = new AbortController();
    if (deadline.aborted) request.abort(deadline.reason);
    running.add(request);
    response.once("close", () => {
      running.delete(request);
      if (!response.writableFinished) request.abort();
    });
    return request.signal;
  };
};
