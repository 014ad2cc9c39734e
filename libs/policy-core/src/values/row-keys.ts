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
