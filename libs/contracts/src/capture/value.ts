import { z } from "zod";
import { text } from "../names.ts";
import { notStorable, type Value, valueFault } from "../values/value-fault.ts";

/** A text that can be stored: half a surrogate pair has no UTF-8 form, two such texts would become one. */
export const storableText = (min: number, max: number) =>
  text(min, max).refine((value) => value.isWellFormed(), { error: notStorable });

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
