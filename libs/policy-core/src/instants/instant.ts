/**
 * An instant: whole seconds since 1970-01-01T00:00:00Z and nanoseconds within the second, 0 to 999,999,999. Two
 * numbers, because one could not hold both exactly; compared first by first, as the database compares lists.
 */
export type Instant = readonly [seconds: number, nanoseconds: number];

const leapYear = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)";
const date =
  "(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|" +
  `02-(?:0[1-9]|1[0-9]|2[0-8]))|${leapYear}-02-29)`;
const hourAndMinute = "(?:[01][0-9]|2[0-3]):[0-5][0-9]";

/**
 * RFC 3339 with an offset: "T" and "Z" in either case, at most nine digits of a second, no leap second. Every text
 * that fits is an instant. Means the same to the database's matcher; nothing in it is tried twice.
 */
export const instantPattern = `${date}[Tt]${hourAndMinute}:[0-5][0-9](?:[.][0-9]{1,9})?(?:[Zz]|[+-]${hourAndMinute})`;

const whole = new RegExp(`^(?:${instantPattern})$`);

/** Seconds of the years 0000 to 9999, the only ones that RFC 3339 can write. */
export const firstSecond = -62_167_219_200;
export const lastSecond = 253_402_300_799;

/** Days from 1970-01-01 to a date of the Gregorian calendar; years begin in March so that leap days come last. */
const daysTo = (year: number, month: number, day: number): number => {
  const shifted = year + 400 - Math.trunc((14 - month) / 12);
  const dayOfYear = Math.trunc((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const leapDays = Math.trunc(shifted / 4) - Math.trunc(shifted / 100) + Math.trunc(shifted / 400);
  return 365 * shifted + leapDays + dayOfYear - 865_565;
};

const ofText = (text: string): Instant | null => {
  if (text.length > 35 || !whole.test(text)) return null;
  const at = (from: number, length: number): number => Number(text.slice(from, from + length));
  const utc = /[Zz]$/.test(text);
  const zone = text.length - (utc ? 1 : 6);
  const offset = utc ? 0 : (at(zone + 1, 2) * 3600 + at(zone + 4, 2) * 60) * (text[zone] === "-" ? -1 : 1);
  const seconds =
    daysTo(at(0, 4), at(5, 2), at(8, 2)) * 86_400 + at(11, 2) * 3600 + at(14, 2) * 60 + at(17, 2);
  return [seconds - offset, Number(text.slice(20, zone).padEnd(9, "0"))];
};

/** Epoch seconds, to the microsecond: finer than a number near the present can tell. */
const ofNumber = (value: number): Instant | null => {
  if (!(value >= firstSecond && value <= lastSecond)) return null;
  const micros = Math.floor(value * 1_000_000 + 0.5);
  return [Math.floor(micros / 1_000_000), (((micros % 1_000_000) + 1_000_000) % 1_000_000) * 1000];
};

/**
 * The instant that a value denotes: RFC 3339 text with an offset, or epoch
 * seconds. Null for anything else, a date that the calendar does not have included.
 */
export const instantOf = (value: unknown): Instant | null =>
  typeof value === "string" ? ofText(value) : typeof value === "number" ? ofNumber(value) : null;

/** Negative when `a` is before `b`, 0 when they are the same. */
export const compareInstants = (a: Instant, b: Instant): number => a[0] - b[0] || a[1] - b[1];
