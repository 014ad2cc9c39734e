import type { Reference } from "./reference.ts";

/** The short keys of a row of `$rows`, or of `$__row`, under which a statement finds bound values. */
export const rowKeys = {
  parameters: "p",
  token: "t",
  hasToken: "ts",
  request: "q",
  application: "a",
  platform: "f",
} as const;

/**
 * The bound values among which a reference is looked up. Forms of a value that has no map of its own are kept among
 * those of the platform.
 */
export const valuesName = {
  parameter: "parameters",
  token: "token",
  request: "request",
  platform: "platform",
  application: "platform",
  absent: "platform",
} as const satisfies Readonly<Record<Reference["kind"], keyof typeof rowKeys>>;

/** Keys of a row besides bound values. */
export const requestKeys = {
  /** The index by which the answer of a row is found. */
  index: "i",
  /** Whole keys of the two nodes. */
  subject: "s",
  resource: "r",
  /** Graph names of the location parameters, for a statement that keeps its USE. */
  graphs: "g",
} as const;

/** Whether candidate n takes part in a decision; in a scan, policy n of those that must not grant. */
export const candidateKey = (index: number): string => `c${index}`;

/** Whether policy n of those whose pairs a scan finds takes part. */
export const finderKey = (index: number): string => `f${index}`;
