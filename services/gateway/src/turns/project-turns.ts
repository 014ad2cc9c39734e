import { Arrivals } from "./arrivals.ts";
import { OperationTurns, type WaitingRequest } from "./operation-turns.ts";

/** How many requests of a project are forwarded at one time while other projects are active. */
export interface TurnLimits {
  /** Requests of all operations while the project has no more than this at one time; of its quick operations while it has more. */
  readonly quick: number;
  /** Requests of its slow operations while the project has more than `quick` at one time. */
  readonly slow: number;
}

/**
 * For how long a project is one with many requests after it last had as many, in milliseconds: until the first of those that wait are
 * refused, their callers send no others.
 */
const manyMs = 6_000;
/** How often waiting requests are checked: a turn may also become free by time alone, a quick one within a tenth of a second. Milliseconds. */
const checkMs = 20;

/** The requests of one project, under way and waiting. */
export class ProjectTurns {
  /** When it last sent a request. */
  usedAt = -Infinity;
  readonly #limits: TurnLimits;
  readonly #isContended: (project: ProjectTurns, now: number) => boolean;
  readonly #now: () => number;
  readonly #operations = new Map<string, OperationTurns>();
  /** Operations with waiting requests; the one whose turn is next is the first. */
  readonly #queue: OperationTurns[] = [];
  readonly #arrivals = new Arrivals();
  #waiting = 0;
  #manyAt = -Infinity;
  #check: NodeJS.Timeout | undefined;

  /** @param isContended true while other projects send requests as well. */
  constructor(
    limits: TurnLimits,
    isContended: (project: ProjectTurns, now: number) => boolean,
    now: () => number,
  ) {
    this.#limits = limits;
    this.#isContended = isContended;
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

  /** Whether a new request may be forwarded at once; those that wait for a turn come first. */
  admits(operation: OperationTurns, now: number): boolean {
    this.#arrivals.note(now);
    this.startWaiting();
    return operation.waiting.size === 0 && this.#hasTurn(operation, now, 1);
  }

  /** @param count requests that it counts as while its body is read. */
  begin(operation: OperationTurns, request: object, count: number): void {
    operation.begin(request, count, this.#now());
  }

  /** @param isRefusal true for a refusal, whose duration says nothing about the operation: services may delay refusals. */
  end(operation: OperationTurns, request: object, isRefusal: boolean): void {
    operation.end(request, this.#now(), isRefusal);
    this.startWaiting();
  }

  wait(operation: OperationTurns, request: WaitingRequest): void {
    this.#waiting += 1;
    operation.waiting.add(request);
    if (operation.waiting.size === 1) this.#queue.push(operation);
    this.#check ??= setInterval(() => this.#checkWaiting(), checkMs).unref();
  }

  /** Takes a request out of the queue: its turn has come, its caller has disconnected, or it has waited too long. */
  leave(operation: OperationTurns, request: WaitingRequest): void {
    if (!operation.waiting.delete(request)) return;
    this.#waiting -= 1;
    if (operation.waiting.size === 0) this.#queue.splice(this.#queue.indexOf(operation), 1);
    if (this.#waiting > 0) return;
    clearInterval(this.#check);
    this.#check = undefined;
  }

  /** @param arriving 1 for a request that is not counted yet. */
  #hasTurn(operation: OperationTurns, now: number, arriving: 0 | 1): boolean {
    if (!this.#isContended(this, now)) return true;
    const { isSlow } = operation;
    const inTurn = { requests: 0, alike: 0, all: 0 };
    for (const each of this.#operations.values()) {
      const { requests, count } = each.inTurn(now);
      inTurn.requests += requests;
      inTurn.all += count;
      if (each.isSlow === isSlow) inTurn.alike += count;
    }
    // Those that arrived earlier do not count: requests would be many for ever only because they wait.
    const recent = Math.min(inTurn.requests + this.#waiting, this.#arrivals.inLastSecond(now));
    if (recent + arriving > this.#limits.quick) this.#manyAt = now;
    // Not whether the request fits: a large one would wait for ever beside small ones.
    return now - this.#manyAt > manyMs
      ? inTurn.all < this.#limits.quick
      : inTurn.alike < (isSlow ? this.#limits.slow : this.#limits.quick);
  }

  /** Starts waiting requests while there are turns, one of each operation in rotation: many of one do not keep those of another waiting. */
  startWaiting(): void {
    const now = this.#now();
    const next = (): OperationTurns | undefined =>
      this.#queue.find((operation) => this.#hasTurn(operation, now, 0));
    for (let operation = next(); operation !== undefined; operation = next()) {
      const [request] = operation.waiting;
      if (request === undefined) return;
      this.#queue.push(...this.#queue.splice(this.#queue.indexOf(operation), 1));
      this.leave(operation, request);
      request.start();
    }
  }

  #checkWaiting(): void {
    const now = this.#now();
    for (const operation of [...this.#queue])
      for (const request of [...operation.waiting])
        if (request.until <= now) {
          this.leave(operation, request);
          request.refuse();
        }
    this.startWaiting();
  }
}
