import { waitWithin } from "./transport/deadline.ts";

/** The newest `X-Consistency-Token` of a session, whose writes go one after the other. */
export class SessionState {
  token: string | undefined;
  #lastWrite: Promise<unknown> = Promise.resolve();

  constructor(token: string | undefined) {
    this.token = token;
  }

  /** Keeps the token of a response to a write. */
  keep(headers: Pick<Headers, "get">): void {
    this.token = headers.get("x-consistency-token") ?? this.token;
  }

  /**
   * Runs a write after those before it. A token is opaque: of two writes at the same time it would not be known whose token is
   * the newer one.
   *
   * @param signal ends the wait: the write is left out, and those after it keep their order.
   */
  inTurn<T>(write: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const before = this.#lastWrite;
    // Without a limit: the time of a call begins with its turn, and each write before it has a limit of its own.
    const result = waitWithin(before, { signal }, Infinity).then(write);
    this.#lastWrite = Promise.allSettled([before, result]).then(() => undefined);
    return result;
  }
}
