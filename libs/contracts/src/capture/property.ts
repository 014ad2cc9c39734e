import { z } from "zod";
import { instant } from "../instant.ts";
import { optional } from "../optional.ts";
import { captureLimits } from "./limits.ts";
import { propertyName } from "./node-ref.ts";
import { OptionalValue, storableText } from "./value.ts";
import { type Value, valueFault } from "../values/value-fault.ts";

/** Metadata that has a name of its own; every other key is custom. */
export const namedMetadata = ["verified_time", "source", "assurance_level"] as const;

const ownKeys: ReadonlySet<string> = new Set(namedMetadata);

/**
 * `custom_metadata` as a map: a plain object could not hold a key called `__proto__` through a schema.
 */
const CustomMetadata = z.unknown().transform((input, context): ReadonlyMap<string, Value> | undefined => {
  if (input === undefined || input === null) return undefined;
  const refuse = (message: string, path: PropertyKey[] = []): void =>
    context.addIssue({ code: "custom", path, message, input });
  if (typeof input !== "object" || Array.isArray(input)) {
    refuse("object expected");
    return z.NEVER;
  }
  const entries = Object.entries(input as Record<string, unknown>); // an object that is no list
  if (entries.length > captureLimits.customMetadata) {
    refuse(`at most ${captureLimits.customMetadata} keys`);
    return z.NEVER;
  }
  const map = new Map<string, Value>();
  for (const [key, value] of entries) {
    const named = propertyName.safeParse(key);
    const fault = valueFault(value);
    if (!named.success) refuse("keys are 1-128 letters, digits and underscores, no digit first");
    else if (ownKeys.has(key)) refuse("is a field of metadata itself", [key]);
    else if (fault !== undefined) refuse(fault, [key]);
    else map.set(key, value as Value); // valueFault found nothing
  }
  return map;
});

export const Metadata = z.object(
  {
    verified_time: optional(instant),
    source: optional(storableText(0, 1_024)),
    assurance_level: optional(
      z.number().refine((value) => value === 1 || value === 2 || value === 3, {
        error: "1, 2 or 3 expected",
      }),
    ),
    custom_metadata: CustomMetadata.optional(),
  },
  { error: "object expected" },
);

export type Metadata = z.output<typeof Metadata>;

const concernsValue = (issue: { path?: PropertyKey[] | undefined }): boolean =>
  issue.path?.[0] === "value" || issue.path?.[0] === "external_value";

/** One property of a node to write: a value, or the name of the resolver that knows it. */
export const Property = z
  .object(
    {
      type: propertyName,
      value: OptionalValue,
      external_value: optional(storableText(1, 254)),
      metadata: optional(Metadata),
    },
    { error: "object expected" },
  )
  .superRefine(
    ({ value, external_value }, context) => {
      if ((value === undefined) === (external_value === undefined))
        context.addIssue({ code: "custom", message: "exactly one of value and external_value expected" });
    },
    // Besides other faults, but not on top of a fault of the two themselves.
    {
      when: ({ value, issues }) => typeof value === "object" && value !== null && !issues.some(concernsValue),
    },
  );

export type Property = z.output<typeof Property>;
