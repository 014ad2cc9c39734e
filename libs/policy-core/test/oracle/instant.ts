import { isNumber, type Value } from "./values.ts";

const form =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)[Tt](?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)(?:\.(?<fraction>\d{1,9}))?(?:[Zz]|(?<sign>[+-])(?<offHour>\d\d):(?<offMinute>\d\d))$/;

const [first, last] = [-62_167_219_200n, 253_402_300_799n];
const nano = 1_000_000_000n;

/** Does the calendar have this day? */
const isDay = (year: number, month: number, day: number): boolean => {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  return days !== undefined && day >= 1 && day <= days;
};

/** Days since 1970 by counting: nothing to get wrong. */
const dayNumber = (year: number, month: number, day: number): bigint => {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return BigInt(Math.round(date.getTime() / 86_400_000));
};

const ofText = (text: string): bigint | null => {
  const parts = form.exec(text)?.groups;
  if (parts === undefined) return null;
  const at = (name: string): number => Number(parts[name] ?? 0);
  if (!isDay(at("year"), at("month"), at("day"))) return null;
  if (at("hour") > 23 || at("minute") > 59 || at("second") > 59) return null;
  if (at("offHour") > 23 || at("offMinute") > 59) return null;
  const local = BigInt(at("hour") * 3600 + at("minute") * 60 + at("second"));
  const offset = BigInt((at("offHour") * 60 + at("offMinute")) * 60 * (parts["sign"] === "-" ? -1 : 1));
  const seconds = dayNumber(at("year"), at("month"), at("day")) * 86_400n + local - offset;
  return seconds * nano + BigInt((parts["fraction"] ?? "").padEnd(9, "0"));
};

/**
 * Nanoseconds since 1970 of an RFC 3339 text with an offset, or of epoch seconds; null for everything else, and for
 * numbers outside of the years that such a text can name.
 */
export const instantOf = (value: Value): bigint | null => {
  if (typeof value === "string") return ofText(value);
  if (!isNumber(value)) return null;
  const whole = BigInt(Math.floor(Number(value)));
  if (whole < first || whole > last) return null;
  // The digits that a person would write, not the binary fraction that stands for them.
  const fraction = /\.(?<digits>\d{1,9})/.exec(String(value))?.groups?.["digits"] ?? "";
  const nanos = BigInt(fraction.padEnd(9, "0"));
  return value < 0 && nanos > 0n ? (whole + 1n) * nano - nanos : whole * nano + nanos;
};
