import { OperationTurns, type WaitingRequest } from "./operation-turns.ts";

/** How many requests of a project are forwarded at once while it takes turns. */
export interface TurnLimits {
  /** Of quick operations; also how many requests a project may have at one time before it takes turns. */
  readonly quick: number;
  /** Of slow operations. */
  readonly slow: number;
}

/** For how long a project takes turns after it last had many requests at one time. Milliseconds. */
const crowdedMs = 2_000;
/** How often waiting requests are looked at: without an end of another one, time alone may give them their turn. Milliseconds. */
const lookMs = 250;

/** The requests of one project, under way and waiting. */
export class ProjectTurns {
  /** When it last sent a request. */
  usedAt = -Infinity;
  readonly #limits: TurnLimits;
  readonly #othersAsk: (project: ProjectTurns, now: number) => boolean;
  readonly #now: () => number;
  readonly #operations = new Map<string, OperationTurns>();
  /** Operations with waiting requests; the one whose turn is next is the first. */
  readonly #queue: OperationTurns[] = [];
  #underWay = 0;
  #waiting = 0;
  #crowdedAt = -Infinity;
  #look: NodeJS.Timeout | undefined;

  /** @param othersAsk whether other projects send requests as well. */
  constructor(
    limits: TurnLimits,
    othersAsk: (project: ProjectTurns, now: number) => boolean,
    now: () => number,
  ) {
    this.#limits = limits;
    this.#othersAsk = othersAsk;
    this.#now = now;
  }

  get waiting(): number {
    return this.#waiting;
  }

  operation(name: string): OperationTurns {
    let operation = this.#operations.get(name);
    if (operation === undefined) this.#operations.set(name, (operation = new OperationTurns()));
    return operation;
  }

  /** Whether a new request may be forwarded at once: its operation has a turn to give, and none of it waits for one. */
  admits(operation: OperationTurns, now: number): boolean {
    return operation.waiting.size === 0 && this.#hasTurn(operation, now);
  }

  begin(operation: OperationTurns, request: object): void {
    this.#underWay += 1;
    operation.begin(request, this.#now());
  }

  end(operation: OperationTurns, request: object): void {
    this.#underWay -= 1;
    operation.end(request, this.#now());
    this.#startWaiting();
  }

  wait(operation: OperationTurns, request: WaitingRequest): void {
    this.#waiting += 1;
    operation.waiting.add(request);
    if (operation.waiting.size === 1) this.#queue.push(operation);
    this.#look ??= setInterval(() => this.#lookAtWaiting(), lookMs).unref();
  }

  /** Takes a request out of the queue: its turn has come, its caller has disconnected, or it has waited too long. */
  leave(operation: OperationTurns, request: WaitingRequest): void {
    if (!operation.waiting.delete(request)) return;
    this.#waiting -= 1;
    if (operation.waiting.size === 0) this.#queue.splice(this.#queue.indexOf(operation), 1);
    if (this.#waiting > 0) return;
    clearInterval(this.#look);
    this.#look = undefined;
  }

  #isCrowded(now: number): boolean {
    if (this.#underWay + this.#waiting >= this.#limits.quick) this.#crowdedAt = now;
    return now - this.#crowdedAt <= crowdedMs;
  }

  #hasTurn(operation: OperationTurns, now: number): boolean {
    if (!this.#isCrowded(now) || !this.#othersAsk(this, now)) return true;
    const isSlow = operation.isSlow(now);
    let inTurn = 0;
    for (const each of this.#operations.values()) if (each.isSlow(now) === isSlow) inTurn += each.inTurn(now);
    return inTurn < (isSlow ? this.#limits.slow : this.#limits.quick);
  }

  /** Starts what has a turn, one request of each operation after the other: many of one do not keep those of another waiting. */
  #startWaiting(): void {
    for (let operation = this.#nextOperation(); operation !== undefined; operation = this.#nextOperation()) {
      const [request] = operation.waiting;
      if (request === undefined) return;
      this.#queue.push(...this.#queue.splice(this.#queue.indexOf(operation), 1));
      this.leave(operation, request);
      request.start();
    }
  }

  #nextOperation(): OperationTurns | undefined {
    const now = this.#now();
    return this.#queue.find((operation) => this.#hasTurn(operation, now));
  }

  #lookAtWaiting(): void {
    const now = this.#now();
    for (const operation of [...this.#queue])
      for (const request of [...operation.waiting])
        if (request.until <= now) {
          this.leave(operation, request);
          request.refuse();
        }
    this.#startWaiting();
  }
}
