import { z } from "zod";
import { optional } from "../optional.ts";
import { captureLimits } from "./limits.ts";
import { listOf } from "./list.ts";
import { NodeRef, propertyName, relationshipType } from "./node-ref.ts";
import { discriminatingEntry } from "./upsert-relationships.ts";
import { type Value, valueFault } from "../values/value-fault.ts";

interface Entry {
  readonly type?: unknown;
  readonly value?: unknown;
}

/**
 * What tells the relationship that is meant from parallel ones: the value of the property that
 * the entry `discriminating_property` names. All other properties of a delete are ignored.
 */
const Discriminator = z.unknown().transform((input, context): Value | undefined => {
  if (!Array.isArray(input)) return undefined;
  const entries = input as readonly (Entry | null)[]; // entries may be anything, and are looked at one by one
  const named = entries.find((entry) => entry?.type === discriminatingEntry)?.value;
  if (named === undefined) return undefined;
  const value = entries.find((entry) => typeof named === "string" && entry?.type === named)?.value;
  if (valueFault(value) === undefined) return value as Value; // just established
  context.addIssue({ code: "custom", message: "the discriminating property with a value expected", input });
  return z.NEVER;
});

const relationship = {
  source: NodeRef,
  target: NodeRef,
  type: relationshipType,
  properties: Discriminator.optional(),
};

const request = <S extends z.ZodType>(item: S) =>
  z.object({
    relationships: listOf(item, 1, captureLimits.batch),
    use_global_db: optional(z.boolean({ error: "boolean expected" })),
  });

/** POST /capture/v1/relationships/delete; `properties` of the output is the discriminating value. */
export const DeleteRelationshipsRequest = request(z.object(relationship, { error: "object expected" }));

export type DeleteRelationshipsRequest = z.output<typeof DeleteRelationshipsRequest>;

/** POST /capture/v1/relationships/properties/delete. */
export const DeleteRelationshipPropertiesRequest = request(
  z.object(
    { ...relationship, property_types: listOf(propertyName, 1, captureLimits.names) },
    { error: "object expected" },
  ),
);

export type DeleteRelationshipPropertiesRequest = z.output<typeof DeleteRelationshipPropertiesRequest>;
