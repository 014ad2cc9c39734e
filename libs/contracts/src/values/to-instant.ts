const shape = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

const zero = 0x30;

/** The number of two digits. */
const two = (text: string, at: number): number =>
  (text.charCodeAt(at) - zero) * 10 + text.charCodeAt(at + 1) - zero;

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
  if (!shape.test(text)) return undefined;
  const [month, day] = [two(text, 5), two(text, 8)];
  if (month < 1 || month > 12 || day < 1) return undefined;
  if (day > 28 && day > daysIn(Number(text.slice(0, 4)), month)) return undefined;
  if (two(text, 11) > 23 || two(text, 14) > 59 || two(text, 17) > 59) return undefined;
  const last = text.at(-1);
  const isUtc = last === "Z" || last === "z";
  const fraction = text.slice(19, isUtc ? -1 : -6).slice(0, 4);
  // Already in UTC, the usual case: a batch of capture holds thousands, and a Date costs microseconds.
  if (isUtc) return `${text.slice(0, 10)}T${text.slice(11, 19)}${(fraction || ".").padEnd(4, "0")}Z`;
  const zone = text.slice(-6);
  const time = new Date(`${text.slice(0, 10)}T${text.slice(11, 19)}${fraction}${zone}`);
  const utc = Number.isNaN(time.getTime()) ? "" : time.toISOString();
  return utc.length === 24 ? utc : undefined;
};
