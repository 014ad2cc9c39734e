import { toInstant } from "@ikg/contracts";

/** Milliseconds of a day, the unit of every age. */
const dayMs = 86_400_000;

/** Milliseconds since the epoch of an RFC 3339 time with an offset; undefined for anything else. */
export const instantOf = (value: unknown): number | undefined => {
  const utc = typeof value === "string" ? toInstant(value) : undefined;
  return utc === undefined ? undefined : Date.parse(utc);
};

/** Real-valued days from a time until the run; what lies ahead has no age. */
export const ageInDays = (time: number, now: number): number => Math.max(0, now - time) / dayMs;
