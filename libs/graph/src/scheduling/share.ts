import type { Activity } from "@ikg/concurrency";
import { Pace } from "./pace.ts";

/** What one project, or all projects of one organization together, have in flight and waiting on one database. */
export class Share {
  readonly id: string;
  inFlight = 0;
  waitingCount = 0;
  heavy = 0;
  /** Heavy statements in flight that were not expected to be heavy. */
  turnedHeavy = 0;
  short = 0;
  /** Expected milliseconds of the short statements in flight. */
  shortMs = 0;
  /** As `shortMs`, but each statement counts with at most three quarters of the limit that holds while others are active. */
  cappedMs = 0;
  /** Milliseconds of database time that it may use before the next share is served; negative after it used more. */
  credit = 0;
  /** Until this moment of the scheduler's clock others are active in other processes. */
  contendedUntil = -Infinity;
  /** Before this moment no slot for a heavy statement is requested: the last request was refused. */
  retrySlotAt = -Infinity;
  /** Time of the last statement. */
  usedAt = -Infinity;
  /** The pace of its long and heavy statements while others are active. */
  readonly pace: Pace;
  /** The activity of all shares of its kind, projects or organizations, on this database. */
  readonly activity: Activity<Share>;

  /** @param processors that its long statements may keep busy on average while others are active */
  constructor(id: string, processors: number, activity: Activity<Share>) {
    this.id = id;
    this.pace = new Pace(processors);
    this.activity = activity;
  }

  /** Counts what another share has in flight and waiting, or counts it no longer. */
  count({ inFlight, waitingCount, heavy, turnedHeavy, short, shortMs, cappedMs }: Share, by: 1 | -1): void {
    this.inFlight += by * inFlight;
    this.waitingCount += by * waitingCount;
    this.heavy += by * heavy;
    this.turnedHeavy += by * turnedHeavy;
    this.short += by * short;
    // Sums of fractions do not come back to zero by themselves.
    this.shortMs = this.short === 0 ? 0 : this.shortMs + by * shortMs;
    this.cappedMs = this.short === 0 ? 0 : this.cappedMs + by * cappedMs;
  }
}
