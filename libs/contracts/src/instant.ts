import { z } from "zod";

const shape =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(\.\d+)?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Days of a month of the proleptic Gregorian calendar; month from 1. */
const daysIn = (year: number, month: number): number =>
  new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();

/**
 * Reads an RFC 3339 time with any offset and any fraction length.
 *
 * @returns the same instant in UTC with milliseconds and `Z`, a form that sorts as text;
 *   undefined for anything else, dates that no calendar has included.
 */
export const toInstant = (text: string): string | undefined => {
  const parts = shape.exec(text);
  if (parts === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  if (month < 1 || month > 12 || day < 1 || (day > 28 && day > daysIn(year, month))) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const fraction = (parts[7] ?? "").slice(0, 4);
  const zone = (parts[8] ?? "").toUpperCase();
  // Already in UTC, the usual case: a batch of capture holds thousands, and a Date costs microseconds.
  if (zone === "Z") return `${text.slice(0, 10)}T${text.slice(11, 19)}${(fraction || ".").padEnd(4, "0")}Z`;
  const time = new Date(`${text.slice(0, 10)}T${text.slice(11, 19)}${fraction}${zone}`);
  const utc = Number.isNaN(time.getTime()) ? "" : time.toISOString();
  return utc.length === 24 ? utc : undefined;
};

/** An RFC 3339 time of a request, normalised to UTC. */
export const instant = z.string({ error: "string expected" }).transform((value, context) => {
  const utc = toInstant(value);
  if (utc !== undefined) return utc;
  context.addIssue({ code: "custom", message: "RFC 3339 time with an offset expected", input: value });
  return z.NEVER;
});
