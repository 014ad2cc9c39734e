import { contentionMs, type HeavySlot } from "@ikg/concurrency";
import { type Capacity, heavyMs } from "./capacity.ts";
import type { ExpectedCost, Run } from "./estimates.ts";
import type { ProjectShare } from "./project-share.ts";
import type { Share } from "./share.ts";

/** A statement in flight. */
export interface RunningStatement extends Run {
  readonly share: ProjectShare;
  readonly expectedMs: number;
  /** Of a heavy statement, where those of all processes are counted. */
  heavySlot: HeavySlot | undefined;
  isHeavy: boolean;
  /** It became heavy while it ran. */
  hasTurned?: boolean;
  /** It counts as heavy once it has run for long. */
  readonly usesEstimate: boolean;
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

  constructor(capacity: Capacity) {
    this.#capacity = capacity;
  }

  /** Notes that a project uses the database now. */
  touch(share: ProjectShare, now: number): void {
    for (const each of share.levels) each.activity.touch(each, now);
  }

  /**
   * True while others have something in flight or waiting, or had a moment ago: other projects for a project, other
   * organizations for an organization.
   */
  isContended(share: Share, now: number): boolean {
    if (now < share.contendedUntil) return true;
    if (this.#inFlight > share.inFlight || this.waitingCount > share.waitingCount) return true;
    return now - share.activity.usedBesidesAt(share) < contentionMs;
  }

  /** Milliseconds until a project has database time again that it may use while statements of other projects wait; 0: it has some. */
  waitForTimeMs(share: ProjectShare, now: number): number {
    return this.waitingCount > share.waitingCount ? share.time.waitMs(now) : 0;
  }

  /**
   * Whether a project may start a statement. While other organizations are active, its organization must be below its own limits as well: the projects
   * of one have together what one project has, but for the pace of long statements.
   */
  mayStart(share: ProjectShare, expected: ExpectedCost, now: number): boolean {
    const { total, alone } = this.#capacity;
    if (this.#inFlight >= total || share.inFlight >= share.limit) return false;
    // The next organization finds a free connection at once.
    if (share.inFlight > 0 && share.organization.inFlight >= alone) return false;
    return this.#hasCapacity(share, expected, now) && !this.isOverPart(share.organization, expected, now);
  }

  /** True when other organizations are active and this one has its part of what a statement needs. */
  isOverPart(organization: Share, expected: ExpectedCost, now: number): boolean {
    return this.isContended(organization, now) && !this.#hasCapacity(organization, expected, now);
  }

  /** One short and one heavy statement it always may have, while a connection is free and it keeps its pace. */
  #hasCapacity(share: Share, { weight, ms, mayTurnHeavy, isPaced }: ExpectedCost, now: number): boolean {
    const { alone, contended, heavyAlone, heavyContended, heavyTotal, shortMsAlone, shortMsContended } =
      this.#capacity;
    const isContended = this.isContended(share, now);
    if (share.inFlight >= (isContended ? contended : alone)) return false;
    if (isContended && isPaced && !share.pace.mayStart(now)) return false;
    if (weight === "heavy") {
      if (share.heavy === 0) return this.#heavy < heavyTotal;
      return this.#heavy < (isContended ? heavyContended : heavyAlone);
    }
    // Else statements of which each tenth run takes long would be started while the former ones run on. A single one may have waited for others.
    if (mayTurnHeavy && share.turnedHeavy > 1 && this.#heavy >= (isContended ? heavyContended : heavyAlone))
      return false;
    if (share.short === 0) return true;
    return isContended
      ? share.cappedMs + this.#capped(ms) <= shortMsContended
      : share.shortMs + ms <= shortMsAlone;
  }

  start(statement: RunningStatement): void {
    const { share, isHeavy } = statement;
    this.#inFlight += 1;
    for (const each of share.levels) each.inFlight += 1;
    if (isHeavy) this.#countHeavy(share, 1);
    else this.#countShort(statement, 1);
  }

  end(statement: RunningStatement, now: number): void {
    const { share, isHeavy, hasTurned = false } = statement;
    this.touch(share, now);
    if (hasTurned) for (const each of share.levels) each.turnedHeavy -= 1;
    this.#inFlight -= 1;
    for (const each of share.levels) each.inFlight -= 1;
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
      statement.hasTurned = true;
      for (const each of statement.share.levels) each.turnedHeavy += 1;
      this.#countHeavy(statement.share, 1);
      statement.share.estimates.recordLeast(statement, now);
      onHeavy(statement);
    }
  }

  /** One statement that is expected to take long leaves capacity for short ones, and none for a second one. */
  #capped(expectedMs: number): number {
    return Math.min(expectedMs, 0.75 * this.#capacity.shortMsContended);
  }

  #countHeavy(share: ProjectShare, by: 1 | -1): void {
    this.#heavy += by;
    for (const each of share.levels) each.heavy += by;
  }

  #countShort(statement: RunningStatement, by: 1 | -1): void {
    const { share, expectedMs, usesEstimate } = statement;
    for (const each of share.levels) {
      each.short += by;
      // Sums of fractions do not come back to zero by themselves.
      each.shortMs = each.short === 0 ? 0 : each.shortMs + by * expectedMs;
      each.cappedMs = each.short === 0 ? 0 : each.cappedMs + by * this.#capped(expectedMs);
    }
    if (by === 1 && usesEstimate) this.#short.add(statement);
    else this.#short.delete(statement);
  }
}
