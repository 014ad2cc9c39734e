import type { Scalar } from "../filters/filter.ts";
import { toUtc } from "./utc.ts";

/** What may be stored as the value of a property or of a metadata key (api specification 4.1, Value). */
export type Storable = Scalar | readonly Scalar[];

/** Places of a query that take a value, each with a rule of its own (policies specification 8.2). */
export type ValueKind =
  "value" | "external_id" | "external_value" | "verified_time" | "source" | "assurance_level";

/** Limits that capture has for the same values; lengths are in code points. */
export const longest = { value: 65_536, external_id: 256, external_value: 254, source: 1_024 } as const;
/** Most entries of a list. */
export const mostEntries = 1_000;

const lengthOf = (text: string): number => Array.from(text).length;

const scalarFault = (value: unknown): string | undefined => {
  switch (typeof value) {
    case "boolean":
      return undefined;
    case "string":
      if (value.length > longest.value && lengthOf(value) > longest.value)
        return `at most ${longest.value} characters`;
      return value.isWellFormed() ? undefined : "well-formed Unicode expected";
    case "number":
      if (!Number.isFinite(value)) return "finite number expected";
      return Number.isInteger(value) && !Number.isSafeInteger(value)
        ? "integer between -(2^53-1) and 2^53-1 expected"
        : undefined;
    default:
      return "string, number, boolean or a list of those expected";
  }
};

const valueFault = (value: unknown): string | undefined => {
  if (!Array.isArray(value)) return scalarFault(value);
  const entries: readonly unknown[] = value;
  if (entries.length > mostEntries) return `at most ${mostEntries} entries`;
  for (const entry of entries) {
    if (Array.isArray(entry)) return "a list in a list cannot be stored";
    const fault = scalarFault(entry);
    if (fault !== undefined) return fault;
    if (typeof entry !== typeof entries[0]) return "entries of one kind expected";
  }
  return undefined;
};

const textFault = (value: unknown, min: number, max: number): string | undefined => {
  const expected = `string of ${min}-${max} characters expected`;
  if (typeof value !== "string" || value.length > 2 * max) return expected;
  const length = lengthOf(value);
  return length < min || length > max ? expected : scalarFault(value);
};

/** Why a value cannot stand where a value of this kind is needed; undefined when it can. */
export const kindFault = (kind: ValueKind, value: unknown): string | undefined => {
  switch (kind) {
    case "value":
      return valueFault(value);
    case "external_id":
    case "external_value":
      return textFault(value, 1, longest[kind]);
    case "source":
      return textFault(value, 0, longest.source);
    case "verified_time":
      return typeof value === "string" && toUtc(value) !== undefined
        ? undefined
        : "RFC 3339 time with an offset expected";
    case "assurance_level":
      return Number.isSafeInteger(value) ? undefined : "integer expected";
  }
};

/** The value as it is stored; only for values without a fault. Times are brought to UTC, as capture does. */
export const storedValue = (kind: ValueKind, value: unknown): Storable =>
  kind === "verified_time" ? (toUtc(String(value)) ?? "") : (value as Storable); // kindFault found nothing
