import { type HeavySlot, TokenBucket } from "@ikg/concurrency";
import { Estimates, type Expected, type Weight, weights } from "./estimates.ts";
import { Pace } from "./pace.ts";
import { type StatementClass, statementClasses } from "./statement-class.ts";

/** A statement that waits for its turn. */
export interface WaitingStatement {
  readonly share: ProjectShare;
  readonly statementClass: StatementClass;
  readonly text: string;
  expected: Expected;
  readonly since: number;
  /** Called when its turn has come. @param heavySlot of a heavy statement, where those of all processes are counted */
  start(heavySlot?: HeavySlot): void;
}

/** The class of a waiting statement is raised by one for each of these milliseconds, so that none waits for ever. */
const agingMs = 1_000;

/** Lower is served earlier. */
export const rankOf = ({ statementClass, since }: WaitingStatement, now: number): number =>
  statementClasses.indexOf(statementClass) - Math.floor((now - since) / agingMs);

/** Waiting statements of one project and one weight: first in, first out within a class. */
class Lanes {
  count = 0;
  readonly #byClass = new Map<StatementClass, Set<WaitingStatement>>();

  add(statement: WaitingStatement): void {
    const lane = this.#byClass.get(statement.statementClass) ?? new Set();
    this.#byClass.set(statement.statementClass, lane.add(statement));
    this.count += 1;
  }

  /** False when the statement is not there any more. */
  remove(statement: WaitingStatement): boolean {
    const isRemoved = this.#byClass.get(statement.statementClass)?.delete(statement) === true;
    if (isRemoved) this.count -= 1;
    return isRemoved;
  }

  has(statement: WaitingStatement): boolean {
    return this.#byClass.get(statement.statementClass)?.has(statement) === true;
  }

  first(now: number): WaitingStatement | undefined {
    let best: WaitingStatement | undefined;
    for (const lane of this.#byClass.values()) {
      const [first] = lane;
      if (first !== undefined && (best === undefined || rankOf(first, now) < rankOf(best, now))) best = first;
    }
    return best;
  }
}

/** What one project has in flight and waiting on one database. */
export class ProjectShare {
  readonly id: string;
  readonly estimates = new Estimates();
  /** Statements in flight at most, by the record of the project. */
  limit = Infinity;
  inFlight = 0;
  heavy = 0;
  short = 0;
  /** Expected milliseconds of its short statements in flight. */
  shortMs = 0;
  /** The same, each of them with at most three quarters of what a project may have in flight while other projects are active. */
  cappedMs = 0;
  /** Database milliseconds that it may use before it is the turn of others; negative after it used more. */
  credit = 0;
  /** Milliseconds of database time in a second, by the record of the project. */
  msPerSecond = Infinity;
  /** What is left of them; used up while other projects are active. */
  readonly time = new TokenBucket(Infinity, 0);
  /** Before this moment it requests no slot for a heavy statement: the last request was refused. */
  askAgainAt = -Infinity;
  /** Until this moment others ask other processes. */
  contendedUntil = -Infinity;
  /** Time of its last statement. */
  usedAt = -Infinity;
  /** Of its long and heavy statements while other projects are active. */
  readonly pace: Pace;
  /** A statement that has to wait does not hold up those of less weight. */
  readonly #lanes: Readonly<Record<Weight, Lanes>> = {
    short: new Lanes(),
    long: new Lanes(),
    heavy: new Lanes(),
  };

  /** @param longContended as in `Capacity` */
  constructor(id: string, longContended: number) {
    this.id = id;
    this.pace = new Pace(longContended);
  }

  setRate(msPerSecond: number, now: number): void {
    this.msPerSecond = msPerSecond;
    this.time.setRate(msPerSecond, now);
  }

  get waitingCount(): number {
    const { short, long, heavy } = this.#lanes;
    return short.count + long.count + heavy.count;
  }

  /** True when a statement of the weight that comes now has others before it. */
  hasWaiting(weight: Weight): boolean {
    return this.#lanes[weight].count > 0;
  }

  add(statement: WaitingStatement): void {
    this.#lanes[statement.expected.weight].add(statement);
  }

  /** Takes a statement out of the queue; false when it is not there any more. */
  remove(statement: WaitingStatement): boolean {
    return this.#lanes[statement.expected.weight].remove(statement);
  }

  has(statement: WaitingStatement): boolean {
    return this.#lanes[statement.expected.weight].has(statement);
  }

  /** The statement to start next, if it may be started. Those behind it do not pass, or it could wait for ever. */
  next(now: number, mayStart: (statement: WaitingStatement) => boolean): WaitingStatement | undefined {
    let best: WaitingStatement | undefined;
    for (const weight of weights) {
      this.#weighAgain(weight, now);
      const first = this.#lanes[weight].first(now);
      if (first === undefined || !mayStart(first)) continue;
      if (best === undefined || rankOf(first, now) < rankOf(best, now)) best = first;
    }
    return best;
  }

  /** Uses what was measured while a statement waited: the first of a burst predicts the duration of the others. */
  #weighAgain(weight: Weight, now: number): void {
    const lanes = this.#lanes[weight];
    for (let first = lanes.first(now); first !== undefined; first = lanes.first(now)) {
      const expected = this.estimates.of(first.text, first.statementClass);
      if (weights.indexOf(expected.weight) <= weights.indexOf(weight)) {
        first.expected = { ...expected, weight };
        return;
      }
      this.remove(first);
      first.expected = expected;
      this.add(first);
    }
  }
}
