import { toInstant } from "@ikg/contracts/capture";
import type { ValueKind } from "./schema.ts";

/** A value of the graph. */
export type Value = string | number | boolean | readonly (string | number | boolean)[];

/** Reports why a value cannot be converted. */
export type OnFault = (message: string) => undefined;

export type Conversion = (value: unknown, fault: OnFault) => Value | undefined;

/** A value as text, for ids and messages. */
export const textOf = (value: unknown): string => {
  if (typeof value === "string") return value;
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" && value !== null
    ? JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? String(each) : each))
    : String(value);
};

const maxQuoted = 60;

const quoted = (value: unknown): string => {
  const text = textOf(value);
  return JSON.stringify(text.length > maxQuoted ? `${text.slice(0, maxQuoted)}…` : text);
};

const toInteger: Conversion = (value, fault) => {
  const text = textOf(value).trim();
  if (!/^[+-]?\d+(\.0+)?$/.test(text)) return fault(`${quoted(value)} is not an integer`);
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : fault(`${quoted(value)} exceeds 2^53-1; use "as: string"`);
};

const toNumber: Conversion = (value, fault) => {
  const text = textOf(value).trim();
  const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text));
  return isNumber ? Number(text) : fault(`${quoted(value)} is not a number`);
};

const truths: ReadonlyMap<string, boolean> = new Map([
  ...["true", "t", "yes", "y", "1"].map((text) => [text, true] as const),
  ...["false", "f", "no", "n", "0"].map((text) => [text, false] as const),
]);

const toBoolean: Conversion = (value, fault) =>
  truths.get(textOf(value).trim().toLowerCase()) ?? fault(`${quoted(value)} is not a boolean`);

/** A date with an optional time and offset, in the formats that databases write. */
const instantShape =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?)?\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i;

/** Normalizes an instant to RFC 3339 in UTC; a text without an offset is taken as UTC. */
export const instantOf = (text: string): string | undefined => {
  const given = text.trim();
  const whole = toInstant(given);
  if (whole !== undefined) return whole;
  const [, date, time = "00:00", seconds = ":00", zone = "Z"] = instantShape.exec(given) ?? [];
  if (date === undefined) return undefined;
  const isUtc = /^(Z|UTC)$/i.test(zone);
  const [, hours = "", minutes = "00"] = /^([+-]\d\d):?(\d\d)?$/.exec(zone) ?? [];
  return toInstant(`${date}T${time}${seconds}${isUtc ? "Z" : `${hours}:${minutes}`}`);
};

const toDatetime: Conversion = (value, fault) =>
  instantOf(textOf(value)) ??
  fault(
    `${quoted(value)} is not a date or date-time; accepted are 2026-01-31, 2026-01-31 09:00:00 or 2026-01-31T09:00:00+01:00`,
  );

/** Keeps texts, and the numbers, booleans and lists of typed files. */
const keepValue: Conversion = (value, fault) => {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : fault(`${String(value)} is a number that cannot be stored`);
    case "bigint":
      return toInteger(value, fault);
    default:
      if (value instanceof Date) return value.toISOString();
      return Array.isArray(value)
        ? toList(value, keepEntry, fault)
        : fault("an object cannot be stored; select one of its members: column.member");
  }
};

const keepEntry: Conversion = (value, fault) =>
  Array.isArray(value) ? fault("a list in a list cannot be stored") : keepValue(value, fault);

/** @param convert returns no list. @returns undefined for a list without values, or with one that cannot be converted */
const toList = (entries: readonly unknown[], convert: Conversion, fault: OnFault): Value | undefined => {
  const values = entries
    .filter((each) => each !== "" && each !== null && each !== undefined)
    .map((each) => convert(each, fault));
  const whole = values.filter((each) => each !== undefined) as (string | number | boolean)[]; // by `convert`
  return whole.length === values.length && whole.length > 0 ? whole : undefined;
};

const conversions: Readonly<Record<Exclude<ValueKind, "list">, Conversion>> = {
  string: (value) => textOf(value),
  integer: toInteger,
  number: toNumber,
  boolean: toBoolean,
  datetime: toDatetime,
};

/** @param of the type of the entries of a list. */
export const conversionOf = (
  as: ValueKind | undefined,
  {
    of,
    separator = ",",
  }: { readonly of?: Exclude<ValueKind, "list"> | undefined; readonly separator?: string | undefined } = {},
): Conversion => {
  if (as === undefined) return keepValue;
  if (as !== "list") return conversions[as];
  const entry = of === undefined ? keepEntry : conversions[of];
  return (value, fault) => {
    const entries: readonly unknown[] = Array.isArray(value)
      ? value
      : textOf(value)
          .split(separator)
          .map((each) => each.trim());
    return toList(entries, entry, fault);
  };
};
