import type { IncomingHttpHeaders } from "node:http";
import { type Dispatcher, interceptors } from "undici";

/** How far a request got. */
export interface Attempt {
  /** It had a connection, so the service may have acted on it. */
  sent: boolean;
  answered: boolean;
}

/** The attempt of a request, which travels with its options. */
const attemptOf = (options: Dispatcher.DispatchOptions): Attempt =>
  (options as Dispatcher.RequestOptions<Attempt>).opaque as Attempt; // every request of the pool has one

/** Passes everything on, and notes how far the request gets. */
class AttemptHandler implements Dispatcher.DispatchHandler {
  readonly #attempt: Attempt;
  readonly #next: Dispatcher.DispatchHandler;

  constructor(attempt: Attempt, next: Dispatcher.DispatchHandler) {
    attempt.sent = false;
    this.#attempt = attempt;
    this.#next = next;
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#attempt.sent = true;
    this.#next.onRequestStart?.(controller, context);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    message?: string,
  ): void {
    this.#attempt.answered ||= status >= 200;
    this.#next.onResponseStart?.(controller, status, headers, message);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#next.onResponseData?.(controller, chunk);
  }

  onResponseEnd(controller: Dispatcher.DispatchController, trailers: IncomingHttpHeaders): void {
    this.#next.onResponseEnd?.(controller, trailers);
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    this.#next.onResponseError?.(controller, error);
  }
}

/** Keeps the `Attempt` of every request up to date. */
export const noteAttempts: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch(options, new AttemptHandler(attemptOf(options), handler));

/**
 * Repeats a read once: a kept connection may end in the moment it is used. An answer that has begun is not resumed,
 * since services know no ranges.
 */
export const repeatOnce = interceptors.retry({
  statusCodes: [],
  retry: (error, { state, opts }, done) => {
    const { sent, answered } = attemptOf(opts);
    done(sent && !answered && state.counter === 1 ? null : error);
  },
});
