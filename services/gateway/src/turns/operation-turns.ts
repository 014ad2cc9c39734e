/** A request that takes longer is slow. What waits in its service for others of its project takes some tenths of a second. Milliseconds. */
const slowMs = 500;
/**
 * A request that has been under way for this long no longer keeps others from their turn: those that take seconds wait in their service
 * for most of that time, where their statements are scheduled. Milliseconds.
 */
const turnMs = 1_000;
/** Requests of an operation in a row that have to be quick before it is. */
const quickInARow = 4;

/** A request that waits for its turn. */
export interface WaitingRequest {
  /** When it is refused, in milliseconds of the monotonic clock. */
  readonly until: number;
  start(): void;
  refuse(): void;
}

/** The requests of one operation of one project. What a request takes is known once it has run, so an operation is as slow as its last requests. */
export class OperationTurns {
  readonly waiting = new Set<WaitingRequest>();
  /** When each request under way began, the oldest first. */
  readonly #startedAt = new Map<object, number>();
  #quickInARow = 0;

  begin(request: object, now: number): void {
    this.#startedAt.set(request, now);
  }

  end(request: object, now: number): void {
    const startedAt = this.#startedAt.get(request) ?? now;
    this.#startedAt.delete(request);
    this.#quickInARow = now - startedAt > slowMs ? 0 : this.#quickInARow + 1;
  }

  /** Whether its last requests, or those under way, are slow; also while nothing is known. */
  isSlow(now: number): boolean {
    const oldest = this.#startedAt.values().next();
    if (oldest.done !== true && now - oldest.value > slowMs) this.#quickInARow = 0;
    return this.#quickInARow < quickInARow;
  }

  /** Requests under way that keep others from their turn. */
  inTurn(now: number): number {
    let count = 0;
    for (const startedAt of this.#startedAt.values()) if (now - startedAt < turnMs) count += 1;
    return count;
  }
}
