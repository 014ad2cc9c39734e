/** A request that takes longer is slow: a quick one may wait this long in its service for others of its project. Milliseconds. */
const slowMs = 500;
/** What the last request counts among those before it. */
const weight = 1 / 4;
/** An operation is slow where more of its requests are. */
const slowShare = 1 / 4;
/**
 * How long a request keeps others from their turn, in milliseconds. One that has been under way for longer waits in its service, which
 * schedules its statements or delays its refusal.
 */
const turnMs = { quick: 100, slow: 1_000 } as const;

/** A request that waits for its turn. */
export interface WaitingRequest {
  /** When it is refused, in milliseconds of the monotonic clock. */
  readonly until: number;
  start(): void;
  refuse(): void;
}

interface UnderWay {
  readonly startedAt: number;
  /** Requests that it counts as while its body is read. */
  readonly count: number;
}

/** The requests of one operation of one project. What a request takes is known once it has ended, so an operation is as slow as its last requests. */
export class OperationTurns {
  readonly waiting = new Set<WaitingRequest>();
  /** The requests under way, the oldest first. */
  readonly #underWay = new Map<object, UnderWay>();
  /** Of its requests, the last ones most; all of them while none is known. */
  #slowShare = 1;

  /** @param count requests that it counts as while its body is read. */
  begin(request: object, count: number, now: number): void {
    this.#underWay.set(request, { startedAt: now, count });
  }

  /** @param isRefusal that its service may have delayed: that it was slow says nothing. */
  end(request: object, now: number, isRefusal: boolean): void {
    const wasSlow = now - (this.#underWay.get(request)?.startedAt ?? now) > slowMs;
    this.#underWay.delete(request);
    if (!wasSlow || !isRefusal) this.#slowShare += weight * (Number(wasSlow) - this.#slowShare);
  }

  get isSlow(): boolean {
    return this.#slowShare > slowShare;
  }

  /** Requests under way that keep others from their turn, and as how many they count. */
  inTurn(now: number): { readonly requests: number; readonly count: number } {
    const keepsMs = this.isSlow ? turnMs.slow : turnMs.quick;
    const inTurn = { requests: 0, count: 0 };
    for (const { startedAt, count } of this.#underWay.values()) {
      const age = now - startedAt;
      if (age >= keepsMs) continue;
      inTurn.requests += 1;
      // Later its body has been read, or waits for its pace in the service.
      inTurn.count += age < turnMs.quick ? count : 1;
    }
    return inTurn;
  }
}
