import type { TrustScoreProfileRecord } from "@ikg/client";

const hour = 60 * 60 * 1_000;

const scheduleHours = { THREE_HOURS: 3, SIX_HOURS: 6, TWELVE_HOURS: 12, DAILY: 24 } as const;

export const scheduleTexts: Readonly<Record<TrustScoreProfileRecord["schedule"], string>> = {
  THREE_HOURS: "every three hours",
  SIX_HOURS: "every six hours",
  TWELVE_HOURS: "every twelve hours",
  DAILY: "every day",
};

type Run = Pick<TrustScoreProfileRecord, "last_run_start_time" | "last_run_end_time">;

/** Seconds that the last run took; undefined: none has ended yet. */
export const runSeconds = ({
  last_run_start_time: start,
  last_run_end_time: end,
}: Run): number | undefined => {
  const seconds = (Date.parse(end) - Date.parse(start)) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
};

/** When the next run is due, by the schedule: not earlier than now. Undefined: before the first run. */
export const nextRun = (
  { schedule, ...run }: Run & Pick<TrustScoreProfileRecord, "schedule">,
  now: number,
): string | undefined => {
  const start = Date.parse(run.last_run_start_time);
  if (Number.isNaN(start)) return undefined;
  return new Date(Math.max(now, start + scheduleHours[schedule] * hour)).toISOString();
};
