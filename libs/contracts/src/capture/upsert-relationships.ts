import { z } from "zod";
import { optional } from "../optional.ts";
import { captureLimits } from "./limits.ts";
import { listOf, refuseRepeatedTypes } from "./list.ts";
import { NodeRef, propertyName, relationshipType } from "./node-ref.ts";
import { OnMissing } from "./on-missing.ts";
import { RequiredValue } from "./value.ts";

/** The entry of `properties` that names the property whose value distinguishes parallel relationships. */
export const discriminatingEntry = "discriminating_property";

/** Properties of relationships have neither external values nor metadata. */
const never = z.unknown().transform((input, context): undefined => {
  if (input !== undefined && input !== null)
    context.addIssue({ code: "custom", message: "not possible on a relationship", input });
  return undefined;
});

export const RelationshipProperty = z.object(
  {
    type: propertyName,
    value: RequiredValue,
    external_value: never.optional(),
    metadata: never.optional(),
  },
  { error: "object expected" },
);

/** The discriminating entry must name another property of the same item. */
const refuseUnknownDiscriminator = (
  properties: readonly { type: string; value: unknown }[],
  context: z.core.$RefinementCtx,
): void => {
  const index = properties.findIndex((property) => property?.type === discriminatingEntry);
  const named = properties[index]?.value;
  if (index < 0) return;
  const known = properties.some((property, at) => at !== index && property?.type === named);
  if (!known)
    context.addIssue({
      code: "custom",
      path: [index, "value"],
      message: "the name of another property of this relationship expected",
    });
};

/** One relationship to write. */
export const UpsertRelationship = z.object(
  {
    source: NodeRef,
    target: NodeRef,
    type: relationshipType,
    properties: optional(
      listOf(RelationshipProperty, 0, captureLimits.properties).superRefine(
        (properties, context) => {
          if (!Array.isArray(properties)) return;
          refuseRepeatedTypes(properties, context);
          refuseUnknownDiscriminator(properties, context);
        },
        { when: () => true },
      ),
    ),
  },
  { error: "object expected" },
);

export type UpsertRelationship = z.output<typeof UpsertRelationship>;

/** POST /capture/v1/relationships. */
export const UpsertRelationshipsRequest = z.object({
  relationships: listOf(UpsertRelationship, 1, captureLimits.batch),
  use_global_db: optional(z.boolean({ error: "boolean expected" })),
  on_missing: OnMissing,
});

export type UpsertRelationshipsRequest = z.output<typeof UpsertRelationshipsRequest>;
