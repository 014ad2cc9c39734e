import type { Choice } from "../form/form-field.ts";

const day = 24 * 60 * 60 * 1_000;

const lifetimeMs: Readonly<Record<string, number>> = {
  hour: day / 24,
  day,
  month: 30 * day,
  quarter: 90 * day,
  year: 365 * day,
};

/** How long a new key is valid. */
export const lifetimes: readonly Choice[] = [
  { value: "hour", label: "An hour" },
  { value: "day", label: "A day" },
  { value: "month", label: "30 days" },
  { value: "quarter", label: "90 days" },
  { value: "year", label: "A year" },
  { value: "until", label: "Until a date of your choice" },
  { value: "always", label: "Never expires" },
];

/** How long a key is to be valid, as it is chosen. */
export interface Lifetime {
  /** The value of one of `lifetimes`. */
  readonly kind: string;
  /** A day as a field gives it, `2026-06-01`, for the kind `until`; the key is valid through that day, in the reader's zone. */
  readonly until: string;
}

export const defaultLifetime: Lifetime = { kind: "quarter", until: "" };

/**
 * The expiry of a key that is created now, as the API takes it; undefined: it never expires.
 *
 * @throws RangeError for an invalid date
 */
export const endOf = ({ kind, until }: Lifetime, now: number): string | undefined => {
  if (kind === "always") return undefined;
  if (kind === "until") return new Date(`${until}T23:59:59`).toISOString();
  return new Date(now + (lifetimeMs[kind] ?? day)).toISOString();
};
