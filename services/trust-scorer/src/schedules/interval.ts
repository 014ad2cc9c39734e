import type { Gid } from "@ikg/contracts";
import type { Profile, Schedule } from "../profiles/profile.ts";

const hourMs = 3_600_000;
const hours: Readonly<Record<Schedule, number>> = {
  THREE_HOURS: 3,
  SIX_HOURS: 6,
  TWELVE_HOURS: 12,
  DAILY: 24,
};

/** Milliseconds from slot to slot. */
export const intervalMs = (schedule: Schedule, scale: number): number =>
  Math.max(1, Math.round(hours[schedule] * hourMs * scale));

const prefix = "trust-";

/** The name of a profile's schedule in the queue: ids of jobs hold no colon. */
export const schedulerId = (profileId: Gid): string => `${prefix}${profileId.slice("gid:".length)}`;

const isSchedulerId = (id: string): boolean => id.startsWith(prefix);

/** A schedule as the queue keeps it. */
export interface KeptSchedule {
  readonly id: string;
  readonly every: number | undefined;
  /** When its next slot is due, in milliseconds since the epoch. */
  readonly next: number | undefined;
}

/** What is to be done so that the queue has the schedules of the stored profiles. */
export interface Plan {
  /** `from`: when the first slot is due; undefined: at once. */
  readonly upsert: readonly {
    readonly profile: Profile;
    readonly every: number;
    readonly from: number | undefined;
  }[];
  readonly remove: readonly string[];
}

/** A slot that is overdue by an interval and this many milliseconds has lost its job. */
const lostMs = 60_000;

/**
 * Compares schedules with profiles: a new profile has its first pass at once, a changed
 * schedule its next one an interval after the change, and a schedule that the queue lost continues from where it was.
 *
 * @param begun when a run of a profile began last.
 */
export const planSchedules = (
  profiles: readonly Profile[],
  kept: readonly KeptSchedule[],
  begun: ReadonlyMap<string, string | undefined>,
  { scale, now }: { readonly scale: number; readonly now: number },
): Plan => {
  const known = new Map(kept.map((each) => [each.id, each]));
  const upsert = profiles.flatMap((profile) => {
    const every = intervalMs(profile.schedule, scale);
    const schedule = known.get(schedulerId(profile.id));
    known.delete(schedulerId(profile.id));
    const last = begun.get(profile.id);
    const nextDue = last === undefined ? undefined : Date.parse(last) + every;
    if (schedule === undefined) return [{ profile, every, from: nextDue }];
    if (schedule.every !== every)
      return [
        { profile, every, from: last === undefined ? undefined : Date.parse(profile.updateTime) + every },
      ];
    const isLost = schedule.next === undefined || schedule.next < now - every - lostMs;
    return isLost ? [{ profile, every, from: nextDue }] : [];
  });
  return { upsert, remove: [...known.keys()].filter(isSchedulerId) };
};
