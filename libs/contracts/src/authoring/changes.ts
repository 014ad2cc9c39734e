import { z } from "zod";
import { text } from "../names.ts";
import { policyTags } from "../records/authorization-policy.ts";
import { gidOf, oneOf, optional, policyText, recordName, recordStatus } from "../records/fields.ts";

/** Collections that a change set may change, by their path below `/configs/v1`. */
export const changeableCollections = ["authorization-policies", "knowledge-queries"] as const;

export type ChangeableCollection = (typeof changeableCollections)[number];

/** Changes in one set at most. */
export const maxChanges = 500;

/** Bytes of the body of a change set at most. */
export const maxChangesBytes = 4_194_304;

/** A text of the language: as the collections take it, or as the JSON object that it says. */
const language = z
  .union([policyText, z.record(z.string(), z.unknown())], { error: "JSON object or its text expected" })
  .transform((value) => (typeof value === "string" ? value : JSON.stringify(value)))
  .pipe(policyText);

const described = {
  display_name: optional(z.union([z.literal(""), text(2, 254)])),
  description: optional(z.union([z.literal(""), text(2, 65_000)])),
};

const target = {
  /** The record; names are unique in a project. */
  name: recordName,
  /** The version that is replaced or deleted; 0: there is no record of this name. */
  if_version: optional(z.int({ error: "integer expected" }).min(0, { error: "0 or more" })),
};

const policies = z.literal("authorization-policies");
const queries = z.literal("knowledge-queries");

/** What a policy is to be. What is left out stays as it is, or is unset in a new record. */
export const PolicyContent = z.strictObject({
  policy: language,
  status: recordStatus,
  tags: optional(policyTags),
  ...described,
});

/** What a query is to be; its policy is named by `policy` (its name, before or after the set) or by `policy_id`. */
export const QueryContent = z
  .strictObject({
    policy: optional(recordName),
    policy_id: optional(gidOf("authorization_policy")),
    query: language,
    status: recordStatus,
    ...described,
  })
  .refine(({ policy, policy_id }) => (policy === undefined) !== (policy_id === undefined), {
    path: ["policy"],
    error: "either policy (a name) or policy_id expected",
  });

const PutPolicy = z.strictObject({
  op: z.literal("put"),
  collection: policies,
  ...target,
  record: PolicyContent,
});
const PutQuery = z.strictObject({
  op: z.literal("put"),
  collection: queries,
  ...target,
  record: QueryContent,
});
const Delete = z.strictObject({
  op: z.literal("delete"),
  collection: oneOf(changeableCollections),
  ...target,
});

/** One change of a set: `put` creates or replaces by name, `delete` deletes. */
export const RecordChange = z.discriminatedUnion(
  "op",
  [
    z.discriminatedUnion("collection", [PutPolicy, PutQuery], {
      error: `one of ${changeableCollections.join(", ")}`,
    }),
    Delete,
  ],
  { error: "one of put, delete" },
);

export type RecordChange = z.output<typeof RecordChange>;

/** The changes of a set, in their order; every record is named once. */
export const RecordChanges = z
  .array(RecordChange, { error: "array expected" })
  .min(1, { error: `1-${maxChanges} entries` })
  .max(maxChanges, { error: `1-${maxChanges} entries` })
  .superRefine((changes, context) => {
    const seen = new Set<string>();
    changes.forEach(({ collection, name }, index) => {
      const key = `${collection}/${name}`;
      if (seen.has(key))
        context.addIssue({ code: "custom", path: [index, "name"], message: "named twice in this set" });
      seen.add(key);
    });
  });
