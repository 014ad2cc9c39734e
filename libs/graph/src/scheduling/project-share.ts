import { type Activity, type HeavySlot, TokenBucket } from "@ikg/concurrency";
import { Estimates, type ExpectedCost, type StatementKey, type Weight, weights } from "./estimates.ts";
import { type Ranked, rankOf } from "./rank.ts";
import { Share } from "./share.ts";
import type { StatementClass } from "./statement-class.ts";

/** A statement that waits for its turn. */
export interface WaitingStatement extends Ranked, StatementKey {
  readonly share: ProjectShare;
  expected: ExpectedCost;
  /** Called when its turn has come. @param heavySlot of a heavy statement, where those of all processes are counted */
  start(heavySlot?: HeavySlot): void;
}

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
export class ProjectShare extends Share {
  readonly estimates = new Estimates();
  /** Statements in flight at most, by the record of the project. */
  limit = Infinity;
  /** Milliseconds of database time in a second, by the record of the project. */
  msPerSecond = Infinity;
  /** What is left of them, over all processes as far as it is known; used up while other projects are active. */
  readonly time = new TokenBucket(Infinity, 0);
  #levels: readonly [project: Share, organization: Share];
  /** A statement that has to wait does not hold up those of less weight. */
  readonly #lanes: Readonly<Record<Weight, Lanes>> = {
    short: new Lanes(),
    long: new Lanes(),
    heavy: new Lanes(),
  };

  /** @param longContended as in `Capacity` */
  constructor(id: string, longContended: number, activity: Activity<Share>, organization: Share) {
    super(id, longContended, activity);
    this.#levels = [this, organization];
  }

  /** Where its statements count. */
  get levels(): readonly [project: Share, organization: Share] {
    return this.#levels;
  }

  /** That of its organization: of all its projects together. */
  get organization(): Share {
    return this.#levels[1];
  }

  get organizationId(): string {
    return this.organization.id;
  }

  /** Counts its statements for another organization from now on. It must not be in the turns meanwhile. */
  moveTo(organization: Share): void {
    this.organization.count(this, -1);
    organization.count(this, 1);
    this.#levels = [this, organization];
  }

  setRate(msPerSecond: number, now: number): void {
    this.msPerSecond = msPerSecond;
    this.time.setRate(msPerSecond, now);
  }

  /** Milliseconds until it may send a long statement, by its pace and that of its organization; 0 or less: now. */
  restMs(now: number): number {
    return Math.max(this.pace.restMs(now), this.organization.pace.restMs(now));
  }

  /** True while it, or its organization, has used more than it may: beyond its pace, or database time that is not refilled yet. */
  isInDebt(now: number): boolean {
    return this.restMs(now) > 0 || this.time.fullInMs(now) > 0;
  }

  /** True when a statement of the weight that comes now has others before it. */
  hasWaiting(weight: Weight): boolean {
    return this.#lanes[weight].count > 0;
  }

  add(statement: WaitingStatement): void {
    this.#lanes[statement.expected.weight].add(statement);
    this.#count(1);
  }

  /** Takes a statement out of the queue; false when it is not there any more. */
  remove(statement: WaitingStatement): boolean {
    const isRemoved = this.#lanes[statement.expected.weight].remove(statement);
    if (isRemoved) this.#count(-1);
    return isRemoved;
  }

  has(statement: WaitingStatement): boolean {
    return this.#lanes[statement.expected.weight].has(statement);
  }

  /** The statement to start next, if it may be started. Those behind it do not pass, or it could wait for ever. */
  next(now: number, mayStart: (statement: WaitingStatement) => boolean): WaitingStatement | undefined {
    let best: WaitingStatement | undefined;
    for (const weight of weights) this.#weighAgain(weight, now);
    for (const weight of weights) {
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
      const expected = this.estimates.of(first);
      if (expected.weight === weight) {
        first.expected = expected;
        return;
      }
      this.remove(first);
      first.expected = expected;
      this.add(first);
    }
  }

  #count(by: 1 | -1): void {
    this.waitingCount += by;
    this.organization.waitingCount += by;
  }
}
