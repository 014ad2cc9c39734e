import type { Activity } from "@ikg/concurrency";
import { Pace } from "./pace.ts";

/** What one project, or all projects of one organization together, have in flight and waiting on one database. */
export class Share {
  readonly id: string;
  inFlight = 0;
  waitingCount = 0;
  heavy = 0;
  /** Of these, the ones that were not expected to be. */
  turnedHeavy = 0;
  short = 0;
  /** Expected milliseconds of the short statements in flight. */
  shortMs = 0;
  /** The same, each of them with at most three quarters of what may be in flight while others are active. */
  cappedMs = 0;
  /** Database milliseconds that it may use before it is the turn of others; negative after it used more. */
  credit = 0;
  /** Until this moment others ask other processes. */
  contendedUntil = -Infinity;
  /** Before this moment no slot for a heavy statement is requested: the last request was refused. */
  askAgainAt = -Infinity;
  /** Time of the last statement. */
  usedAt = -Infinity;
  /** Of long and heavy statements while others are active. */
  readonly pace: Pace;
  /** Of those that it shares the database with: projects, or organizations. */
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
