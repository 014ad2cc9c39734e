import { z } from "zod";
import { codePoints, text } from "../names.ts";
import { captureLimits } from "./limits.ts";

export type Scalar = string | number | boolean;
/** A stored value: a scalar, or a list of one kind of scalar. */
export type Value = Scalar | readonly Scalar[];

const notStorable = "well-formed Unicode expected";

/** A text that can be stored: half a surrogate pair has no UTF-8 form, two such texts would become one. */
export const storableText = (min: number, max: number) =>
  text(min, max).refine((value) => value.isWellFormed(), { error: notStorable });

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

const checked = (input: unknown, context: z.core.$RefinementCtx): Value => {
  const fault = valueFault(input);
  if (fault === undefined) return input as Value; // just established
  context.addIssue({ code: "custom", message: fault, input });
  return z.NEVER;
};

/** A value that must be there. */
export const RequiredValue = z
  .unknown()
  .transform((input, context) => checked(input === undefined ? null : input, context));

/** A value that may be absent; `null` is the same as absent. */
export const OptionalValue = z
  .unknown()
  .transform((input, context) =>
    input === undefined || input === null ? undefined : checked(input, context),
  )
  .optional();
