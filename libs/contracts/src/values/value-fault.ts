import { captureLimits } from "../capture/limits.ts";
import { codePoints } from "./code-points.ts";

export type Scalar = string | number | boolean;
/** A stored value: a scalar, or a list of one kind of scalar. */
export type Value = Scalar | readonly Scalar[];

export const notStorable = "well-formed Unicode expected";

const scalarFault = (value: unknown): string | undefined => {
  switch (typeof value) {
    case "boolean":
      return undefined;
    case "string":
      if (value.length > captureLimits.string && codePoints(value) > captureLimits.string)
        return `at most ${captureLimits.string} characters`;
      return value.isWellFormed() ? undefined : notStorable;
    case "number":
      if (!Number.isFinite(value)) return "finite number expected";
      return Number.isInteger(value) && !Number.isSafeInteger(value)
        ? "integer between -(2^53-1) and 2^53-1 expected"
        : undefined;
    default:
      return "string, number, boolean or a list of those expected";
  }
};

/** Why `value` cannot be stored, or undefined. */
export const valueFault = (value: unknown): string | undefined => {
  if (!Array.isArray(value)) return scalarFault(value);
  if (value.length > captureLimits.listEntries) return `at most ${captureLimits.listEntries} entries`;
  const entries: unknown[] = value;
  const kind = typeof entries[0];
  let characters = 0;
  for (const entry of entries) {
    if (Array.isArray(entry)) return "a list in a list cannot be stored";
    const fault = scalarFault(entry);
    if (fault !== undefined) return fault;
    if (typeof entry !== kind) return "entries of one kind expected";
    if (typeof entry === "string") characters += codePoints(entry);
    if (characters > captureLimits.listCharacters)
      return `at most ${captureLimits.listCharacters} characters in all entries`;
  }
  return undefined;
};
