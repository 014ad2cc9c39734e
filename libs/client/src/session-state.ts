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
   */
  inTurn<T>(write: () => Promise<T>): Promise<T> {
    const result = this.#lastWrite.then(write);
    this.#lastWrite = result.catch(() => undefined);
    return result;
  }
}
