import { contentionMs, type HeavySlot } from "@ikg/concurrency";
import { type Capacity, heavyMs } from "./capacity.ts";
import type { Expected } from "./estimates.ts";
import type { ProjectShare } from "./project-share.ts";

/** A statement in flight. */
export interface RunningStatement {
  readonly share: ProjectShare;
  readonly text: string;
  readonly expectedMs: number;
  readonly startedAt: number;
  /** Of a heavy statement, where those of all processes are counted. */
  heavySlot: HeavySlot | undefined;
  isHeavy: boolean;
}

/** What is in flight on a database, and what may be added to it. */
export class Usage {
  /** Waiting statements of all projects. */
  waitingCount = 0;
  readonly #capacity: Capacity;
  /** Statements that count as short, the oldest first. */
  readonly #short = new Set<RunningStatement>();
  #inFlight = 0;
  #heavy = 0;
  /** The project of the last statement, and when another project last sent one. */
  #last: ProjectShare | undefined;
  #othersUsedAt = -Infinity;

  constructor(capacity: Capacity) {
    this.#capacity = capacity;
  }

  /** Notes that a project uses the database now. */
  touch(share: ProjectShare, now: number): void {
    if (share !== this.#last) {
      this.#othersUsedAt = this.#last?.usedAt ?? -Infinity;
      this.#last = share;
    }
    share.usedAt = now;
  }

  /** True while other projects have something in flight or waiting, or had a moment ago. */
  isContended(share: ProjectShare, now: number): boolean {
    if (now < share.contendedUntil) return true;
    if (this.#inFlight > share.inFlight || this.waitingCount > share.waitingCount) return true;
    const usedAt = share === this.#last ? this.#othersUsedAt : (this.#last?.usedAt ?? -Infinity);
    return now - usedAt < contentionMs;
  }

  /** Milliseconds until a project has database time again that it may use while statements of other projects wait; 0: it has some. */
  spentMs(share: ProjectShare, now: number): number {
    return this.waitingCount > share.waitingCount ? share.time.waitMs(now) : 0;
  }

  /**
   * Whether a project may start a statement. One short and one heavy statement it always may, while a connection is free and it
   * keeps its pace.
   */
  mayStart(share: ProjectShare, { weight, ms, isPaced }: Expected, now: number): boolean {
    const {
      total,
      alone,
      contended,
      heavyAlone,
      heavyContended,
      heavyTotal,
      shortMsAlone,
      shortMsContended,
    } = this.#capacity;
    const isContended = this.isContended(share, now);
    if (this.#inFlight >= total) return false;
    if (share.inFlight >= Math.min(isContended ? contended : alone, share.limit)) return false;
    if (isContended && isPaced && !(share.pace.mayStart(now) && this.spentMs(share, now) === 0)) return false;
    if (weight === "heavy") {
      if (share.heavy === 0) return this.#heavy < heavyTotal;
      return this.#heavy < (isContended ? heavyContended : heavyAlone);
    }
    if (share.short === 0) return true;
    return isContended
      ? share.cappedMs + this.#capped(ms) <= shortMsContended
      : share.shortMs + ms <= shortMsAlone;
  }

  start(statement: RunningStatement): void {
    const { share, isHeavy } = statement;
    this.#inFlight += 1;
    share.inFlight += 1;
    if (isHeavy) this.#countHeavy(share, 1);
    else this.#countShort(statement, 1);
  }

  end(statement: RunningStatement, now: number): void {
    const { share, isHeavy } = statement;
    this.touch(share, now);
    this.#inFlight -= 1;
    share.inFlight -= 1;
    if (isHeavy) this.#countHeavy(share, -1);
    else this.#countShort(statement, -1);
  }

  /** Counts statements as heavy that were expected to be short and have run for too long. @param onHeavy called for each */
  promote(now: number, onHeavy: (statement: RunningStatement) => void): void {
    for (const statement of this.#short) {
      const ms = now - statement.startedAt;
      if (ms < heavyMs) return;
      this.#countShort(statement, -1);
      statement.isHeavy = true;
      this.#countHeavy(statement.share, 1);
      statement.share.estimates.recordLeast(statement.text, ms);
      onHeavy(statement);
    }
  }

  /** One statement that is expected to take long leaves capacity for short ones, and none for a second one. */
  #capped(expectedMs: number): number {
    return Math.min(expectedMs, 0.75 * this.#capacity.shortMsContended);
  }

  #countHeavy(share: ProjectShare, by: 1 | -1): void {
    this.#heavy += by;
    share.heavy += by;
  }

  #countShort(statement: RunningStatement, by: 1 | -1): void {
    const { share, expectedMs } = statement;
    share.short += by;
    // Sums of fractions do not come back to zero by themselves.
    share.shortMs = share.short === 0 ? 0 : share.shortMs + by * expectedMs;
    share.cappedMs = share.short === 0 ? 0 : share.cappedMs + by * this.#capped(expectedMs);
    if (by === 1) this.#short.add(statement);
    else this.#short.delete(statement);
  }
}
