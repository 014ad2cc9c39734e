/** The newest `X-Consistency-Token` of a session. */
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
   * Runs writes one after the other: of two at the same time it would not be known whose token is the newer one.
   */
  inTurn<T>(write: () => Promise<T>): Promise<T> {
    const result = this.#lastWrite.then(write);
    this.#lastWrite = result.catch(() => undefined);
    return result;
  }
}
